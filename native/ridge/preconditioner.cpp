#include "ridge/preconditioner.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd::ridge {
namespace {

// With fewer rows than columns, a column much shorter than the typical eigenvalue is scaled no
// further: it shares its rows with longer ones, and scaling rare columns up makes them collide.
// Where heavy rows are taken care of, the typical eigenvalue is that of the others.
constexpr double kDamping = 0.1, kHeavyDamping = 1.0;
constexpr double kPivot = 1e-13;

double weight_of(const RidgeRows& rows, std::size_t i) {
  return rows.weight ? rows.weight[i] : 1.0;
}

// out_j = sum_i s_i (x_ij - mean_j)^2, not below zero. The mean may be that of other rows.
std::vector<double> centered_squares(const RidgeRows& rows, Watch& watch) {
  const std::size_t n = rows.X->rows(), p = rows.X->cols();
  std::vector<double> out(p);
  rows.X->squares(rows.weight, out.data(), watch);
  if (!rows.mean) return out;
  std::vector<double> weight(n), sum(p);
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += weight[i] = weight_of(rows, i);
  rows.X->transposed_times(weight.data(), sum.data(), watch);
  for (std::size_t j = 0; j < p; ++j) {
    const double mean = rows.mean[j];
    out[j] = std::max(out[j] - mean * (2.0 * sum[j] - total * mean), 0.0);
  }
  return out;
}

}  // namespace

RidgePreconditioner::RidgePreconditioner(const RidgeRows& rows, const RidgeRows* heavy,
                                         double lambda, Watch& watch)
    : heavy_(heavy) {
  find_diagonal(rows, lambda, watch);
  if (heavy_) find_factor(watch);
}

void RidgePreconditioner::find_diagonal(const RidgeRows& rows, double lambda, Watch& watch) {
  inverse_ = centered_squares(rows, watch);
  if (heavy_) {
    const std::vector<double> taken = centered_squares(*heavy_, watch);
    for (std::size_t j = 0; j < inverse_.size(); ++j)
      inverse_[j] = std::max(inverse_[j] - taken[j], 0.0);
  }
  double trace = 0.0;
  for (const double square : inverse_) trace += square;
  const std::size_t n = rows.X->rows();
  if (n < inverse_.size())
    lambda = std::max(lambda, (heavy_ ? kHeavyDamping : kDamping) * trace / static_cast<double>(n));
  for (double& entry : inverse_) {
    entry += lambda;
    entry = entry > 0.0 ? 1.0 / entry : 0.0;
  }
}

// I + S^1/2 Xc E^-1 Xc^T S^1/2 of the heavy rows.
void RidgePreconditioner::find_factor(Watch& watch) {
  const std::size_t size = heavy_->X->rows();
  factor_.resize(size);
  heavy_->X->outer_matrix(inverse_.data(), heavy_->mean, factor_.row(0), factor_.stride(), watch);
  for (std::size_t i = 0; i < size; ++i) {
    double* row = factor_.row(i);
    const double root = std::sqrt(weight_of(*heavy_, i));
    for (std::size_t k = 0; heavy_->weight && k <= i; ++k)
      row[k] *= root * std::sqrt(heavy_->weight[k]);
    row[i] += 1.0;
  }
  if (!factor_.factor(kPivot, watch)) heavy_ = nullptr;
  along_.resize(size);
  back_.resize(inverse_.size());
}

void RidgePreconditioner::apply(const double* r, double* out, Watch& watch) {
  const std::size_t p = inverse_.size();
  for (std::size_t j = 0; j < p; ++j) out[j] = inverse_[j] * r[j];
  if (!heavy_) return;
  const double center = heavy_->mean ? dot(heavy_->mean, out, p) : 0.0;
  heavy_->X->times(out, along_.data(), watch);
  for (std::size_t i = 0; i < along_.size(); ++i)
    along_[i] = std::sqrt(weight_of(*heavy_, i)) * (along_[i] - center);
  factor_.solve(along_.data());
  double sum = 0.0;
  for (std::size_t i = 0; i < along_.size(); ++i)
    sum += along_[i] *= std::sqrt(weight_of(*heavy_, i));
  heavy_->X->transposed_times(along_.data(), back_.data(), watch);
  if (heavy_->mean) axpy(-sum, heavy_->mean, back_.data(), p);
  for (std::size_t j = 0; j < p; ++j) out[j] -= inverse_[j] * back_[j];
}

}  // namespace banditcd::ridge
