#include "multinomial/predicted_dual.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::multinomial {
namespace {

// A share that would fall below this part of itself is bent towards zero instead: distributions
// must not be negative, and where a logarithm moves that far the model is no good anyway.
constexpr double kBend = 0.5;

double bent(double factor) {
  return factor >= kBend ? factor : kBend * std::exp(factor / kBend - 1.0);
}

}  // namespace

void PredictedDual::predict(const Point& point, const AlignedVector& dz, bool rough, Watch& watch) {
  const std::size_t width = problem_.width(), classes = problem_.classes();
  theta_.resize(q_.size());
  bool exact = true;
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double *p = point.p.data() + i * width, *change = dz.data() + i * width;
    double mean = 0.0, sum = 0.0;
    for (std::size_t k = 0; k < classes; ++k) mean += p[k] * change[k];
    double* q = q_.data() + i * width;
    for (std::size_t k = 0; k < classes; ++k) {
      const double factor = 1.0 + (change[k] - mean);
      exact &= factor >= kBend;
      sum += q[k] = p[k] * bent(factor);
    }
    for (std::size_t k = 0; k < classes; ++k) q[k] /= sum;
  }
  known_ = exact || !rough || !problem_.intercept;
  tilted_ = !exact && problem_.intercept;
  if (rough && known_ && problem_.intercept) shift(point, watch);
}

// q is linear in the change of the predictors: the step of the intercepts that balances it.
void PredictedDual::shift(const Point& point, Watch& watch) {
  const std::size_t width = problem_.width(), classes = problem_.classes();
  std::vector<double> off, step;
  balance_.imbalance(q_, off);
  balance_.solve(point.p, off, step, watch);
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double* p = point.p.data() + i * width;
    double mean = 0.0, *q = q_.data() + i * width;
    for (std::size_t k = 0; k < classes; ++k) mean += p[k] * step[k];
    for (std::size_t k = 0; k < classes; ++k) {
      q[k] -= p[k] * (step[k] - mean);
      known_ &= q[k] >= 0.0;
    }
  }
}

// Balanced again, by a tilt that keeps every share positive. False: there is none in reach.
bool PredictedDual::balance(Watch& watch) {
  const std::size_t width = problem_.width(), classes = problem_.classes();
  AlignedVector logs(q_.size(), 0.0);
  std::vector<double> tilt(width, 0.0);
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t k = 0; k < classes; ++k)
      logs[i * width + k] = std::log(std::max(q_[i * width + k], 1e-300));
  const double loss = class_kernels().softmax(problem_.rows, logs.data(), q_.data());
  balance_.settle(logs, q_, tilt.data(), loss, watch);
  return balance_.left() <= kOrthogonal;
}

double PredictedDual::losses(const Point& point, double target, Watch& watch) {
  if (!known_) return kInfinity;
  known_ = false;
  double gap = point.relative_entropy(q_);
  if (!(gap <= target)) return kInfinity;
  if (tilted_) {
    if (!balance(watch)) return kInfinity;
    gap = point.relative_entropy(q_);
    if (!(gap <= target)) return kInfinity;
  }
  gap += intercepts(point);
  if (gap < kInfinity) find_theta();
  return gap;
}

// What the intercepts add to the gap; infinite if q is not balanced.
double PredictedDual::intercepts(const Point& point) {
  if (!problem_.intercept) return 0.0;
  std::vector<double> off;
  balance_.imbalance(q_, off);
  double sum = 0.0;
  const double total = problem_.total_weight();
  for (std::size_t k = 0; k < problem_.width(); ++k) {
    if (std::fabs(off[k]) > kOrthogonal * total) return kInfinity;
    sum += price_of_rest(off[k], point.b[k]);
  }
  return sum;
}

void PredictedDual::find_theta() {
  const std::size_t width = problem_.width();
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double s = problem_.weight(i);
    for (std::size_t k = 0; k < width; ++k) theta_[i * width + k] = -s * q_[i * width + k];
    theta_[i * width + static_cast<std::size_t>(problem_.rows.label[i])] += s;
  }
}

double PredictedDual::losses_at(double t, const Point& point) {
  const std::size_t width = problem_.width();
  mixed_.resize(q_.size());
  for (std::size_t k = 0; k < q_.size(); ++k) mixed_[k] = t * q_[k];
  for (std::size_t i = 0; i < problem_.count(); ++i)
    mixed_[i * width + static_cast<std::size_t>(problem_.rows.label[i])] += 1.0 - t;
  return point.relative_entropy(mixed_) + t * intercepts(point);
}

double PredictedDual::gap(const Point& point, double target, Passes& passes) {
  const double gap = losses(point, target, passes.watch());
  if (!(gap < kInfinity)) return gap;
  passes.transposed_times(theta_.data(), problem_.width(), u_.data());
  return gap + penalty_gap(problem_, point.w, u_);
}

double penalty_gap(const Problem& problem, const AlignedVector& w, const AlignedVector& u) {
  const std::size_t width = problem.width();
  double sum = 0.0;
  for (std::size_t j = 0; j < problem.cols; ++j) {
    if (problem.excluded(j)) continue;
    const double strength = problem.strength(j);
    if (!(strength > 0.0)) return kInfinity;
    for (std::size_t t = j * width; t < j * width + problem.classes(); ++t) {
      const double off = strength * w[t] - u[t];
      sum += off * off / (2.0 * strength);
    }
  }
  return sum;
}

}  // namespace banditcd::multinomial
