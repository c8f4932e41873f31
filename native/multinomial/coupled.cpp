#include "multinomial/coupled.hpp"

#include <algorithm>

#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {
namespace {

constexpr double kPivot = 1e-12;
constexpr double kFloor = 0.01;  // of a diagonal entry of all rows
constexpr double kHeld = 1e6;    // times its diagonal entry: what holds an excluded column

// Every step-th row: the fewest that are enough, or all.
std::size_t step_of(const Problem& problem) {
  const std::size_t least = kCoupledRows * problem.classes() * (problem.cols + 1);
  std::size_t step = kSampleStep;
  while (step > 1 && problem.count() < step * least) step /= 2;
  return step;
}

}  // namespace

Coupled::Coupled(const Problem& problem) : problem_(problem), step_(step_of(problem)) {}

double Coupled::cost(const Problem& problem, const RowMatrix& X) {
  const double pairs = 0.5 * static_cast<double>(problem.classes() * (problem.classes() - 1));
  return pairs * kRoughShare * X.normal_cost() / static_cast<double>(step_of(problem)) +
         factor_cost(problem.classes() * (problem.cols + 1));
}

bool Coupled::update(const Point& point, const ColumnMoments& of, const std::vector<double>& total,
                     Passes& passes) {
  if (!sample_) {
    sample_ = passes.X().part({0, passes.X().rows(), step_});
    mean_ = of.mean;
    stride_ = padded(side());
    pair_.reserve(side() * stride_);
  }
  const std::size_t size = problem_.classes() * side();
  factor_.resize(size);
  for (std::size_t i = 0; i < size; ++i) std::fill_n(factor_.row(i), i + 1, 0.0);
  for (std::size_t k = 1; k < problem_.classes(); ++k)
    for (std::size_t l = 0; l < k; ++l) add_pair(k, l, point, passes);
  finish(of, total);
  return factor_.factor(kPivot, passes.watch());
}

void Coupled::add_pair(std::size_t k, std::size_t l, const Point& point, Passes& passes) {
  const std::size_t width = problem_.width(), rows = side();
  std::vector<double> shared(sample_->rows());
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const std::size_t own = i * step_;
    const double* p = point.p.data() + own * width;
    shared[i] = static_cast<double>(step_) * problem_.weight(own) * p[k] * p[l];
  }
  sample_->rough_normal_matrix(shared.data(), problem_.intercept ? mean_.data() : nullptr,
                               pair_.data(), stride_, passes.watch());
  if (problem_.intercept) add_border(shared, passes);
  passes.add(1.0 / static_cast<double>(step_ * problem_.classes()));
  for (std::size_t j = 0; j < rows; ++j) {
    const double* from = pair_.data() + j * stride_;
    double *upper = factor_.row(l * rows + j) + l * rows, *lower = factor_.row(k * rows + j);
    for (std::size_t c = 0; c <= j; ++c) {
      upper[c] += from[c];
      lower[k * rows + c] += from[c];
      lower[l * rows + c] -= from[c];
      if (c < j) factor_.row(k * rows + c)[l * rows + j] -= from[c];
    }
  }
}

// The row of the intercept in the matrix of a pair.
void Coupled::add_border(const std::vector<double>& shared, Passes& passes) {
  double total = 0.0, *row = pair_.data() + problem_.cols * stride_;
  for (const double value : shared) total += value;
  std::vector<double> sums(problem_.cols);
  sample_->transposed_times(shared.data(), sums.data(), passes.watch());
  for (std::size_t j = 0; j < problem_.cols; ++j) row[j] = sums[j] - mean_[j] * total;
  row[problem_.cols] = total;
}

// The penalty; a little of the diagonal of all rows, where the sample has no curvature; and a
// curvature for what all classes have in common: nothing else says how far it may move, and nothing
// that is asked for contains it.
void Coupled::finish(const ColumnMoments& of, const std::vector<double>& total) {
  const std::size_t rows = side(), classes = problem_.classes();
  for (std::size_t j = 0; j < rows; ++j) {
    const bool out = j < problem_.cols && problem_.excluded(j);
    double mean = 0.0;
    for (std::size_t k = 0; k < classes; ++k)
      mean += factor_.row(k * rows + j)[k * rows + j] / static_cast<double>(classes);
    const double common = mean / static_cast<double>(classes);
    const double penalty = out ? kHeld * mean : j < problem_.cols ? problem_.strength(j) : 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      double* row = factor_.row(k * rows + j);
      for (std::size_t l = 0; l < k; ++l) row[l * rows + j] += common;
      double& own = row[k * rows + j];
      const double whole = j < problem_.cols ? of.square[j] / of.weight : 1.0;
      own += common + penalty + kFloor * total[k] * whole;
      if (!(own > 0.0)) own = 1.0;
    }
  }
}

// In terms of centered columns the intercept is b + mean . w, and its pull is that of b.
void Coupled::apply(const double* r, double* out) const {
  const std::size_t d = problem_.cols, width = problem_.width(), rows = side();
  std::vector<double> x(problem_.classes() * rows);
  for (std::size_t k = 0; k < problem_.classes(); ++k) {
    const double pull = problem_.intercept ? r[d * width + k] : 0.0;
    for (std::size_t j = 0; j < d; ++j)
      x[k * rows + j] = problem_.intercept ? r[j * width + k] - mean_[j] * pull : r[j * width + k];
    if (problem_.intercept) x[k * rows + d] = pull;
  }
  factor_.solve(x.data());
  std::fill(out, out + (d + 1) * width, 0.0);
  for (std::size_t k = 0; k < problem_.classes(); ++k) {
    const double* from = x.data() + k * rows;
    for (std::size_t j = 0; j < d; ++j) out[j * width + k] = problem_.excluded(j) ? 0.0 : from[j];
    if (problem_.intercept) out[d * width + k] = from[d] - dot(mean_.data(), from, d);
  }
}

}  // namespace banditcd::multinomial
