#include "multinomial/preconditioner.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {
namespace {

constexpr double kPivot = 1e-12;
constexpr double kHold = 1e-13;   // of a column's curvature: beyond what rounding leaves of it
constexpr double kJitter = 1e-7;  // of a diagonal entry: products may be in single precision
// Of all weight: a class that nobody takes for another one still has some curvature.
constexpr double kLeastCurvature = 1e-10;

}  // namespace

double Preconditioner::cost(const Problem& problem, const RowMatrix& X, Preconditioning kind) {
  if (kind == Preconditioning::kCoupled) return Coupled::cost(problem, X);
  if (kind == Preconditioning::kDiagonal) return 2.0 * class_product_cost(X, problem.width());
  const double classes = static_cast<double>(problem.classes());
  const double products = kind == Preconditioning::kBlocks ? classes : 1.0;
  return products * kRoughShare * X.normal_cost() + classes * factor_cost(problem.cols);
}

double Preconditioner::application_cost(const Problem& problem, Preconditioning kind) {
  if (kind == Preconditioning::kDiagonal) return 0.0;
  const double classes = static_cast<double>(problem.classes());
  const double columns = static_cast<double>(problem.cols);
  const double coupled = kind == Preconditioning::kCoupled ? classes : 1.0;
  return coupled * classes * columns * columns * kEpochEntry;
}

void Preconditioner::update(const Point& point, Preconditioning kind, Passes& passes) {
  if (weight_.empty()) find_moments(passes);
  find_totals(point);
  kind_ = kind;
  // The products of a diagonal are passes, which count themselves.
  if (kind != Preconditioning::kDiagonal) passes.spend(cost(problem_, passes.X(), kind));
  if (kind == Preconditioning::kShared && gram_known_)
    passes.spend(-kRoughShare * passes.X().normal_cost());
  if (kind == Preconditioning::kCoupled && coupled_.update(point, moments_, total_, passes)) return;
  if (kind == Preconditioning::kCoupled) {
    kind_ = kind = Preconditioning::kBlocks;
    passes.spend(cost(problem_, passes.X(), kind));
  }
  if (kind == Preconditioning::kDiagonal) return diagonal_.update(point, total_, passes);
  find_centers(point, kind, passes);
  if (kind == Preconditioning::kShared && !gram_known_) find_gram(passes);
  block_.resize(problem_.classes());
  factored_.assign(problem_.classes(), false);
  for (std::size_t k = 0; k < problem_.classes(); ++k) fill_block(point, k, kind, passes);
}

void Preconditioner::update_roughly(const Point& point, Passes& passes) {
  if (weight_.empty()) find_moments(passes);
  find_totals(point);
  kind_ = Preconditioning::kDiagonal;
  diagonal_.update(moments_, total_);
}

void Preconditioner::find_moments(Passes& passes) {
  const std::size_t d = problem_.cols;
  std::vector<double> weight = problem_.row_weights();
  moments_.weight = problem_.total_weight();
  moments_.square.resize(d);
  moments_.mean.assign(d, 0.0);
  passes.X().squares(weight.data(), moments_.square.data(), passes.watch());
  if (problem_.intercept) {
    passes.X().transposed_times(weight.data(), moments_.mean.data(), passes.watch());
    for (std::size_t j = 0; j < d; ++j) {
      moments_.mean[j] /= moments_.weight;
      moments_.square[j] =
          std::max(moments_.square[j] - moments_.weight * moments_.mean[j] * moments_.mean[j], 0.0);
    }
  }
  weight_.swap(weight);
  passes.add(2.0 / static_cast<double>(problem_.classes()));
}

void Preconditioner::find_gram(Passes& passes) {
  const std::size_t stride = padded(problem_.cols);
  gram_.reserve(problem_.cols * stride);
  passes.X().rough_normal_matrix(weight_.data(),
                                 problem_.intercept ? moments_.mean.data() : nullptr, gram_.data(),
                                 stride, passes.watch());
  passes.add(1.0 / static_cast<double>(problem_.classes()));
  gram_known_ = true;
}

void Preconditioner::find_totals(const Point& point) {
  const std::size_t width = problem_.width();
  total_.assign(width, 0.0);
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double* p = point.p.data() + i * width;
    for (std::size_t k = 0; k < width; ++k) total_[k] += weight_[i] * p[k] * (1.0 - p[k]);
  }
  for (double& value : total_) value = std::max(value, kLeastCurvature * moments_.weight);
}

void Preconditioner::find_centers(const Point& point, Preconditioning kind, Passes& passes) {
  const std::size_t d = problem_.cols, width = problem_.width(), classes = problem_.classes();
  center_.resize(classes * d);
  for (std::size_t k = 0; k < classes; ++k)
    std::copy(moments_.mean.begin(), moments_.mean.end(),
              center_.begin() + static_cast<std::ptrdiff_t>(k * d));
  if (!problem_.intercept || kind != Preconditioning::kBlocks) return;
  AlignedVector curvature(point.p), sums(d * width);
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t t = i * width; t < (i + 1) * width; ++t)
      curvature[t] *= weight_[i] * (1.0 - curvature[t]);
  passes.transposed_times(curvature.data(), width, sums.data());
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t j = 0; j < d; ++j) center_[k * d + j] = sums[j * width + k] / total_[k];
}

void Preconditioner::fill_block(const Point& point, std::size_t k, Preconditioning kind,
                                Passes& passes) {
  const std::size_t d = problem_.cols, width = problem_.width();
  Cholesky& block = block_[k];
  block.resize(d);
  if (kind == Preconditioning::kShared) {
    const double share = total_[k] / moments_.weight;
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t l = 0; l <= j; ++l)
        block.row(j)[l] = share * gram_.data()[j * padded(d) + l];
  } else {
    std::vector<double> curvature(problem_.count());
    for (std::size_t i = 0; i < problem_.count(); ++i) {
      const double p = point.p[i * width + k];
      curvature[i] = weight_[i] * p * (1.0 - p);
    }
    passes.X().rough_normal_matrix(curvature.data(), center(k), block.row(0), block.stride(),
                                   passes.watch());
    passes.add(1.0 / static_cast<double>(problem_.classes()));
  }
  add_penalty(block);
  factored_[k] = block.factor(kPivot, passes.watch());
}

void Preconditioner::add_penalty(Cholesky& block) const {
  for (std::size_t j = 0; j < problem_.cols; ++j) {
    double* row = block.row(j);
    if (problem_.excluded(j)) std::fill(row, row + j, 0.0);
    for (std::size_t l = 0; problem_.penalty.weight && l < j; ++l)
      if (problem_.excluded(l)) row[l] = 0.0;
    row[j] = problem_.excluded(j) ? 1.0 : row[j] * (1.0 + kJitter) + problem_.strength(j);
    if (!(row[j] > 0.0)) row[j] = 1.0;
  }
}

double Preconditioner::least_curvature(std::size_t j, std::size_t k) const {
  return kHold * moments_.square[j] * (total_[k] / moments_.weight);
}

void Preconditioner::apply(const double* r, double* out) const {
  if (kind_ == Preconditioning::kDiagonal) return diagonal_.apply(r, out);
  if (kind_ == Preconditioning::kCoupled) return coupled_.apply(r, out);
  const std::size_t size = (problem_.cols + 1) * problem_.width();
  std::fill(out, out + size, 0.0);
  std::vector<double> x(problem_.cols);
  for (std::size_t k = 0; k < problem_.classes(); ++k) apply_class(k, r, out, x);
}

// In terms of centered columns the intercept is b + mean . w, and its pull is that of b.
void Preconditioner::apply_class(std::size_t k, const double* r, double* out,
                                 std::vector<double>& x) const {
  const std::size_t d = problem_.cols, width = problem_.width();
  const double pull = problem_.intercept ? r[d * width + k] : 0.0;
  for (std::size_t j = 0; j < d; ++j)
    x[j] = problem_.excluded(j) ? 0.0 : r[j * width + k] - center_[k * d + j] * pull;
  if (factored_[k]) {
    block_[k].solve(x.data());
  } else {
    const double share = total_[k] / moments_.weight;
    for (std::size_t j = 0; j < d; ++j) {
      const double entry =
          problem_.excluded(j) ? 0.0 : share * moments_.square[j] + problem_.strength(j);
      x[j] = entry > 0.0 ? x[j] / entry : 0.0;
    }
  }
  for (std::size_t j = 0; j < d; ++j) out[j * width + k] = problem_.excluded(j) ? 0.0 : x[j];
  if (problem_.intercept)
    out[d * width + k] = pull / total_[k] - dot(center_.data() + k * d, x.data(), d);
}

}  // namespace banditcd::multinomial
