// The duality gap from true quantities; unpenalized columns and the intercept by projection.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/logistic_math.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/solver.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kFreeEntries = 20'000'000;  // beyond, free columns are not copied
constexpr double kOrthogonal = 1e-9;              // what may be left of <x_j, alpha>, relative
constexpr std::size_t kProjections = 50;

}  // namespace

// The penalized part alone, which is the whole gap if nothing is free; the intercept's by its
// second-order expansion. Costs no reading of X.
double L2Logistic::cheap_gap() const {
  double sum = 0.0;
  for (std::size_t j = 0; j < cols(); ++j) {
    const double strength = lambda_ * penalty(j);
    if (excluded(j) || strength == 0.0) continue;
    sum += gradient_[j] * gradient_[j] / (2.0 * strength);
  }
  sum = std::min(sum, primal_);  // zero is a dual point too, of value zero
  if (!data_.intercept || gradient_b_ == 0.0) return sum;
  double total = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) total += weight(i) * q_[i] * (1.0 - q_[i]);
  return total > 0.0 ? std::min(primal_, sum + 0.5 * gradient_b_ * gradient_b_ / total) : primal_;
}

bool L2Logistic::has_free_columns() const {
  if (lambda_ == 0.0) return cols() > 0;
  return data_.penalty &&
         std::any_of(data_.penalty, data_.penalty + cols(), [](double p) { return p == 0.0; });
}

void L2Logistic::find_free_columns(Watch& watch) {
  free_column_.clear();
  for (std::size_t j = 0; j < cols(); ++j)
    if (!excluded(j) && lambda_ * penalty(j) == 0.0) free_column_.push_back(j);
  const std::size_t size = free_column_.size() + (data_.intercept ? 1 : 0);
  free_too_many_ = size > 1 && size * rows() > kFreeEntries;
  free_.clear();
  if (free_too_many_) return;
  free_.assign(size * rows(), 1.0);
  std::vector<double> unit(cols(), 0.0);
  for (std::size_t f = 0; f < free_column_.size(); ++f) {
    unit[free_column_[f]] = 1.0;
    data_.X->times(unit.data(), free_.data() + f * rows(), watch);
    unit[free_column_[f]] = 0.0;
    passes_ += 1.0;
  }
}

// Moves the probabilities, along the free columns' own Newton steps, until the dual point is
// orthogonal to the free columns. A probability that would leave [0, 1] stays at the bound, which
// is where it belongs if a free column separates its rows; then the rest is projected again.
bool L2Logistic::project(std::vector<double>& q) {
  const std::size_t size = free_.size() / rows();
  std::vector<double> weighted(rows()), u(rows()), rhs(size);
  for (std::size_t round = 0; round < kProjections; ++round) {
    projection_.resize(size);
    for (std::size_t f = 0; f < size; ++f) {
      const double* x = free_.data() + f * rows();
      rhs[f] = 0.0;
      for (std::size_t i = 0; i < rows(); ++i) {
        weighted[i] = d_[i] * x[i];
        rhs[f] += data_.y[i] * weight(i) * q[i] * x[i];
      }
      for (std::size_t g = 0; g <= f; ++g)
        projection_.row(f)[g] = dot(weighted.data(), free_.data() + g * rows(), rows());
    }
    if (!solve_dependent(rhs)) return false;
    std::fill(u.begin(), u.end(), 0.0);
    for (std::size_t f = 0; f < size; ++f)
      axpy(rhs[f], free_.data() + f * rows(), u.data(), rows());
    bool clipped = false;
    for (std::size_t i = 0; i < rows(); ++i) {
      if (d_[i] == 0.0) continue;
      q[i] -= d_[i] / weight(i) * data_.y[i] * u[i];
      if (q[i] > 0.0 && q[i] < 1.0) continue;
      clipped |= q[i] < -kOrthogonal || q[i] > 1.0 + kOrthogonal;
      q[i] = q[i] <= 0.0 ? 0.0 : 1.0;
      d_[i] = 0.0;
    }
    if (!clipped) return true;
  }
  return false;
}

// Plain Cholesky on a small matrix: a pivot that vanishes drops its row.
bool L2Logistic::solve_dependent(std::vector<double>& rhs) {
  const std::size_t size = rhs.size();
  std::vector<bool> dropped(size, false);
  for (std::size_t j = 0; j < size; ++j) {
    double* row = projection_.row(j);
    const double original = row[j];
    for (std::size_t k = 0; k < j; ++k)
      row[k] =
          dropped[k] ? 0.0 : (row[k] - dot(row, projection_.row(k), k)) / projection_.row(k)[k];
    row[j] -= dot(row, row, j);
    dropped[j] = !(row[j] > 1e-13 * original);
    row[j] = dropped[j] ? 1.0 : std::sqrt(row[j]);
    if (dropped[j]) std::fill(row, row + j, 0.0), rhs[j] = 0.0;
  }
  projection_.solve(rhs.data());
  return std::all_of(rhs.begin(), rhs.end(), [](double c) { return std::isfinite(c); });
}

// What the free columns still see of the dual point, against their coefficients; infinite if it is
// more than rounding.
double L2Logistic::leftover(const std::vector<double>& q) const {
  double sum = 0.0;
  for (std::size_t f = 0; f * rows() < free_.size(); ++f) {
    const double* x = free_.data() + f * rows();
    double product = 0.0, size = 0.0;
    for (std::size_t i = 0; i < rows(); ++i) {
      product += data_.y[i] * weight(i) * q[i] * x[i];
      size += weight(i) * q_[i] * std::fabs(x[i]);
    }
    if (std::fabs(product) > kOrthogonal * size) return kInfinite;
    sum += std::fabs(product * (f < free_column_.size() ? w_[free_column_[f]] : b_));
  }
  return sum;
}

double L2Logistic::certificate(Watch& watch) {
  if (!free_known_) find_free_columns(watch);
  free_known_ = true;
  if (free_too_many_) return primal_;
  if (free_.empty()) return cheap_gap();
  curvature();
  std::vector<double> q(q_);
  if (!project(q)) return primal_;
  double gap = leftover(q);
  if (!(gap < kInfinite)) return primal_;
  gap += logistic_kernels().relative_entropy(q.data(), q_.data(), data_.weight, rows());
  std::vector<double> change(rows()), moved(cols());
  for (std::size_t i = 0; i < rows(); ++i) change[i] = data_.y[i] * weight(i) * (q[i] - q_[i]);
  data_.X->transposed_times(change.data(), moved.data(), watch);
  passes_ += 1.0;
  for (std::size_t j = 0; j < cols(); ++j) {
    const double strength = lambda_ * penalty(j);
    if (excluded(j) || strength == 0.0) continue;
    const double g = gradient_[j] - moved[j];
    gap += g * g / (2.0 * strength);
  }
  return std::min(gap, primal_);
}

}  // namespace banditcd::l2_logistic
