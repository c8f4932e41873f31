#include "multinomial/preconditioner.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd::multinomial {
namespace {

constexpr double kPivot = 1e-12;
constexpr double kJitter = 1e-7;  // of a diagonal entry: products may be in single precision
// Of the mean curvature: a class that nobody takes for another one still has a block.
constexpr double kLeastCurvature = 1e-10;

}  // namespace

void Preconditioner::update(const Point& point, Preconditioning kind, Passes& passes) {
  find_means(point, passes);
  if (kind != Preconditioning::kBlocks) find_shared(passes);
  if (kind == Preconditioning::kShared && !gram_known_) {
    const std::size_t stride = padded(problem_.cols);
    gram_.reserve(problem_.cols * stride);
    std::vector<double> ones(problem_.count(), 1.0), center(problem_.cols, 0.0);
    const double* s = problem_.rows.weight ? problem_.rows.weight : ones.data();
    if (problem_.intercept) {
      passes.X().transposed_times(s, center.data(), passes.watch());
      for (double& value : center) value /= weight_;
    }
    passes.X().rough_normal_matrix(s, problem_.intercept ? center.data() : nullptr, gram_.data(),
                                   stride, passes.watch());
    passes.add(1.0);
    gram_known_ = true;
  }
  block_.resize(problem_.classes());
  factored_.assign(problem_.classes(), false);
  if (kind == Preconditioning::kDiagonal) return;
  for (std::size_t k = 0; k < problem_.classes(); ++k) fill_block(point, k, kind, passes);
}

void Preconditioner::find_means(const Point& point, Passes& passes) {
  const std::size_t width = problem_.width();
  AlignedVector curvature(point.p);
  total_.assign(width, 0.0);
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t k = 0; k < width; ++k) {
      double& value = curvature[i * width + k];
      value *= problem_.weight(i) * (1.0 - value);
      total_[k] += value;
    }
  const double all = problem_.total_weight();
  for (std::size_t k = 0; k < problem_.classes(); ++k)
    total_[k] = std::max(total_[k], kLeastCurvature * all);
  mean_.assign(problem_.cols * width, 0.0);
  if (!problem_.intercept) return;
  passes.transposed_times(curvature.data(), width, mean_.data());
  for (std::size_t j = 0; j < problem_.cols; ++j)
    for (std::size_t k = 0; k < problem_.classes(); ++k) mean_[j * width + k] /= total_[k];
}

void Preconditioner::find_shared(Passes& passes) {
  if (!square_.empty()) return;
  const std::size_t d = problem_.cols;
  std::vector<double> weight(problem_.count(), 1.0), sum(d);
  for (std::size_t i = 0; i < problem_.count(); ++i) weight_ += weight[i] = problem_.weight(i);
  square_.resize(d);
  passes.X().squares(weight.data(), square_.data(), passes.watch());
  passes.add(1.0);
  if (!problem_.intercept) return;
  passes.X().transposed_times(weight.data(), sum.data(), passes.watch());
  passes.add(1.0);
  for (std::size_t j = 0; j < d; ++j)
    square_[j] = std::max(square_[j] - sum[j] * sum[j] / weight_, 0.0);
}

void Preconditioner::fill_block(const Point& point, std::size_t k, Preconditioning kind,
                                Passes& passes) {
  const std::size_t d = problem_.cols, width = problem_.width();
  Cholesky& block = block_[k];
  block.resize(d);
  if (kind == Preconditioning::kShared) {
    const double share = total_[k] / weight_;
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t l = 0; l <= j; ++l)
        block.row(j)[l] = share * gram_.data()[j * padded(d) + l];
  } else {
    std::vector<double> curvature(problem_.count()), center(d);
    for (std::size_t i = 0; i < problem_.count(); ++i) {
      const double p = point.p[i * width + k];
      curvature[i] = problem_.weight(i) * p * (1.0 - p);
    }
    for (std::size_t j = 0; j < d; ++j) center[j] = mean(j, k);
    passes.X().rough_normal_matrix(curvature.data(), problem_.intercept ? center.data() : nullptr,
                                   block.row(0), block.stride(), passes.watch());
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

void Preconditioner::apply(const double* r, double* out) const {
  const std::size_t size = (problem_.cols + 1) * problem_.width();
  std::fill(out, out + size, 0.0);
  std::vector<double> x(problem_.cols);
  for (std::size_t k = 0; k < problem_.classes(); ++k) apply_class(k, r, out, x);
}

void Preconditioner::apply_class(std::size_t k, const double* r, double* out,
                                 std::vector<double>& x) const {
  const std::size_t d = problem_.cols, width = problem_.width();
  const double pull = problem_.intercept ? r[d * width + k] : 0.0;
  for (std::size_t j = 0; j < d; ++j)
    x[j] = problem_.excluded(j) ? 0.0 : r[j * width + k] - mean(j, k) * pull;
  if (factored_[k]) {
    block_[k].solve(x.data());
  } else {
    const double share = total_[k] / std::max(weight_, 1e-300);
    for (std::size_t j = 0; j < d; ++j) {
      const double entry = share * (square_.empty() ? 1.0 : square_[j]) + problem_.strength(j);
      x[j] = entry > 0.0 ? x[j] / entry : 0.0;
    }
  }
  double shift = 0.0;
  for (std::size_t j = 0; j < d; ++j) {
    out[j * width + k] = problem_.excluded(j) ? 0.0 : x[j];
    shift += mean(j, k) * x[j];
  }
  if (problem_.intercept) out[d * width + k] = pull / total_[k] - shift;
}

}  // namespace banditcd::multinomial
