#include "l2_logistic/projected_dual.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/logistic_math.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/hessian.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr std::size_t kFreeEntries = 20'000'000;  // beyond, free columns are not copied
constexpr double kOrthogonal = 1e-12;             // what may be left of <x_j, alpha>, relative
constexpr double kOutside = 1e-9;                 // of a probability: more than rounding
constexpr double kReach = 10.0;                   // of a coefficient: how far its optimum may be
constexpr double kDependent = 1e-13;              // of a diagonal entry: the pivot is rounding
constexpr std::size_t kProjections = 50;

// Plain Cholesky on a small matrix: a pivot that vanishes drops its row. False if a solution is
// not finite.
bool solve_dependent(Cholesky& system, std::vector<double>& rhs) {
  const std::size_t size = rhs.size();
  std::vector<bool> dropped(size, false);
  for (std::size_t j = 0; j < size; ++j) {
    double* row = system.row(j);
    const double original = row[j];
    for (std::size_t k = 0; k < j; ++k)
      row[k] = dropped[k] ? 0.0 : (row[k] - dot(row, system.row(k), k)) / system.row(k)[k];
    row[j] -= dot(row, row, j);
    dropped[j] = !(row[j] > kDependent * original);
    row[j] = dropped[j] ? 1.0 : std::sqrt(row[j]);
    if (dropped[j]) std::fill(row, row + j, 0.0), rhs[j] = 0.0;
  }
  system.solve(rhs.data());
  return std::all_of(rhs.begin(), rhs.end(), [](double c) { return std::isfinite(c); });
}

}  // namespace

double ProjectedDual::gap(Point& point, double target, Passes& passes) {
  const double own = point.own_gap();
  if (point.exact && !problem_.constrained()) return own;
  if (own > target) return point.primal;
  if (!point.exact) point.evaluate(passes);
  return certify(point, passes);
}

double ProjectedDual::certify(const Point& point, Passes& passes) {
  if (!known_) find_columns(passes);
  if (too_many_) return point.primal;
  if (columns_.empty()) return point.own_gap();
  curvature_.resize(point.q.size());
  find_curvature(problem_, point.q, curvature_);
  std::vector<double> q(point.q);
  double gap = kInfinity;
  // A second time for the rounding of the first, where that shows.
  for (int round = 0; round < 2 && !(gap < kInfinity); ++round) {
    if (!project(q)) return point.primal;
    gap = leftover(point, q);
  }
  if (!(gap < kInfinity)) return point.primal;
  gap += point.entropy(q);
  std::vector<double> change(q.size()), moved(problem_.cols());
  for (std::size_t i = 0; i < q.size(); ++i)
    change[i] = problem_.y[i] * problem_.weight(i) * (q[i] - point.q[i]);
  passes.read(&RowMatrix::transposed_times, change.data(), moved.data());
  for (std::size_t j = 0; j < moved.size(); ++j) moved[j] = point.gradient[j] - moved[j];
  return std::min(gap + problem_.penalty_gap(moved), point.primal);
}

void ProjectedDual::find_columns(Passes& passes) {
  const std::size_t n = problem_.rows();
  index_.clear();
  for (std::size_t j = 0; j < problem_.cols(); ++j)
    if (problem_.free_column(j)) index_.push_back(j);
  const std::size_t size = index_.size() + (problem_.intercept ? 1 : 0);
  too_many_ = size > 1 && size * n > kFreeEntries;
  columns_.clear();
  known_ = true;
  if (too_many_) return;
  columns_.assign(size * n, 1.0);
  std::vector<double> unit(problem_.cols(), 0.0);
  for (std::size_t f = 0; f < index_.size(); ++f) {
    unit[index_[f]] = 1.0;
    passes.read(&RowMatrix::times, unit.data(), columns_.data() + f * n);
    unit[index_[f]] = 0.0;
  }
  center();
}

void ProjectedDual::center() {
  const std::size_t n = problem_.rows();
  mean_.assign(index_.size(), 0.0);
  if (!problem_.intercept) return;
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += problem_.weight(i);
  for (std::size_t f = 0; f < index_.size(); ++f) {
    double* x = columns_.data() + f * n;
    double off = 0.0;  // from the first entry
    for (std::size_t i = 0; i < n; ++i) off += problem_.weight(i) * (x[i] - x[0]) / total;
    mean_[f] = x[0] + off;
    for (std::size_t i = 0; i < n; ++i) x[i] -= mean_[f];
  }
}

bool ProjectedDual::project(std::vector<double>& q) {
  std::vector<double> coef(columns_.size() / q.size());
  for (std::size_t round = 0; round < kProjections; ++round) {
    fill_system(q, coef);
    if (!solve_dependent(system_, coef)) return false;
    if (!move(q, coef)) return true;
  }
  return false;
}

// F^T D F of the free columns F, and F^T alpha.
void ProjectedDual::fill_system(const std::vector<double>& q, std::vector<double>& rhs) {
  const std::size_t n = q.size();
  std::vector<double> weighted(n);
  system_.resize(rhs.size());
  for (std::size_t f = 0; f < rhs.size(); ++f) {
    const double* x = columns_.data() + f * n;
    rhs[f] = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      weighted[i] = curvature_[i] * x[i];
      rhs[f] += problem_.y[i] * problem_.weight(i) * q[i] * x[i];
    }
    for (std::size_t g = 0; g <= f; ++g)
      system_.row(f)[g] = dot(weighted.data(), columns_.data() + g * n, n);
  }
}

// A probability that would leave [0, 1] stays at the bound, which is where it belongs if a free
// column separates its rows. True if that happened by more than rounding: then the rest must be
// projected again.
bool ProjectedDual::move(std::vector<double>& q, const std::vector<double>& coef) {
  const std::size_t n = q.size();
  std::vector<double> u(n, 0.0);
  for (std::size_t f = 0; f < coef.size(); ++f) axpy(coef[f], columns_.data() + f * n, u.data(), n);
  bool clipped = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (curvature_[i] == 0.0) continue;
    q[i] -= curvature_[i] / problem_.weight(i) * problem_.y[i] * u[i];
    if (q[i] > 0.0 && q[i] < 1.0) continue;
    clipped |= q[i] < -kOutside || q[i] > 1.0 + kOutside;
    q[i] = q[i] <= 0.0 ? 0.0 : 1.0;
    curvature_[i] = 0.0;
  }
  return clipped;
}

// What the free columns still see of the dual point, against their coefficients; infinite if it is
// more than rounding.
double ProjectedDual::leftover(const Point& point, const std::vector<double>& q) const {
  double sum = 0.0, b = point.b;
  for (std::size_t f = 0; f < index_.size(); ++f) b += mean_[f] * point.w[index_[f]];
  for (std::size_t f = 0; f * q.size() < columns_.size(); ++f) {
    const double* x = columns_.data() + f * q.size();
    double product = 0.0, size = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      product += problem_.y[i] * problem_.weight(i) * q[i] * x[i];
      size += problem_.weight(i) * q[i] * std::fabs(x[i]);
    }
    if (std::fabs(product) > kOrthogonal * size) return kInfinity;
    sum += (1.0 + kReach) * std::fabs(product * (f < index_.size() ? point.w[index_[f]] : b));
  }
  return sum;
}

}  // namespace banditcd::l2_logistic
