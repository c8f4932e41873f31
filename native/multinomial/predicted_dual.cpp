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

void PredictedDual::predict(const Point& point, const AlignedVector& dz) {
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
  known_ = true;
  tilted_ = !exact && problem_.intercept;
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

double PredictedDual::gap(const Point& point, double target, Passes& passes) {
  if (!known_) return kInfinity;
  known_ = false;
  const auto entropy = [&] {
    return class_kernels().relative_entropy(problem_.rows, q_.data(), point.p.data());
  };
  double gap = entropy();
  if (!(gap <= target)) return kInfinity;
  if (tilted_) {
    if (!balance(passes.watch())) return kInfinity;
    gap = entropy();
    if (!(gap <= target)) return kInfinity;
  }
  const std::size_t width = problem_.width();
  std::vector<double> off;
  if (problem_.intercept) {
    balance_.imbalance(q_, off);
    const double total = problem_.total_weight();
    for (std::size_t k = 0; k < width; ++k) {
      if (std::fabs(off[k]) > kOrthogonal * total) return kInfinity;
      gap += price_of_rest(off[k], point.b[k]);
    }
  }
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double s = problem_.weight(i);
    for (std::size_t k = 0; k < width; ++k) theta_[i * width + k] = -s * q_[i * width + k];
    theta_[i * width + static_cast<std::size_t>(problem_.rows.label[i])] += s;
  }
  passes.transposed_times(theta_.data(), width, u_.data());
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
