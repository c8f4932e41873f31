// Dual coordinate descent for wide sparse data.
//
// The dual is  max_p  sum_i s_i H(p_i) - |v|^2 / (2 lambda),  v = sum_i y_i s_i p_i x_i,  H the
// entropy of a coin and w = v / lambda. In the logit theta_i of p_i the exact minimization over one
// coordinate is the root of  theta + m_i + h_i (sigma(theta) - p_i),  h_i = s_i |x_i|^2 / lambda,
// whose slope is at least 1: no logarithm, and no probability that rounds to 0 or 1 (compare Yu,
// Huang and Lin 2011, who work with p). Passes are shuffled; what a row could still gain is known
// when it is visited, so the certificate's own pass is made only when it can succeed. The
// constraint of an intercept, sum_i y_i s_i p_i = 0, leaves no single coordinate to move: b is held
// during a pass and takes a Newton step after it, which is too short rather than too long because w
// follows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/logistic_loops.hpp"
#include "kernels/rng.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/solver.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr std::size_t kRootSteps = 12;
constexpr double kRootLeft = 0.02;       // of the first residual of one coordinate
constexpr double kHopeful = 3.0;         // times the target: then the certificate is tried
constexpr std::size_t kRun = 8;          // neighboring rows visited together
constexpr std::size_t kFirstPasses = 6;  // before the speed is judged
constexpr double kPassesLeft = 25.0;     // more than these: Newton steps are quicker

double sigmoid(double theta) {
  const double t = decaying_exp(std::fabs(theta));
  return (theta >= 0.0 ? 1.0 : t) / (1.0 + t);
}

// The root of theta + m + h (sigma(theta) - p) from theta on; p becomes sigma of the root.
double coordinate_root(double theta, double m, double h, double& p) {
  const double start = p, first = theta + m;
  double low = std::min(theta, theta - first), high = std::max(theta, theta - first), f = first;
  for (std::size_t k = 0; k < kRootSteps; ++k) {
    (f > 0.0 ? high : low) = theta;
    double next = theta - f / (1.0 + h * p * (1.0 - p));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    theta = next;
    p = sigmoid(theta);
    f = theta + m + h * (p - start);
    if (std::fabs(f) <= kRootLeft * std::fabs(first)) break;
  }
  return theta;
}

}  // namespace

bool L2Logistic::dual_descent_applies() const {
  if (data_.penalty || !data_.X->sparse() || !(lambda_ > 0.0)) return false;
  if (2 * cols() < rows()) return false;
  double square = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) square += weight(i) * data_.X->row_square(i);
  return square <= kDualCurvature * lambda_ * static_cast<double>(rows());
}

// All probabilities equal, the best of them, or those of the last solve; w follows, and the squared
// norms of the rows come with it.
void L2Logistic::start_dual(Watch& watch) {
  const bool warm = std::any_of(w_.begin(), w_.end(), [](double w) { return w != 0.0; });
  if (warm) evaluate(watch);
  theta_.resize(rows());
  squares_.resize(rows());
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t i = 0; i < rows(); ++i) {
    data_.X->row_axpy(i, data_.y[i] * weight(i) * (warm ? q_[i] : 1.0), w_.data());
    squares_[i] = data_.X->row_square(i);
    if (i % 64 == 0) watch.check();
  }
  passes_ += 1.0;
  double total = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) total += weight(i);
  const double bend = dot(w_.data(), w_.data(), cols()) / (lambda_ * std::max(total, 1e-300));
  double p = 0.5;
  // total H(p) - p^2 |v|^2 / (2 lambda) is largest where logit(p) + bend p = 0.
  const double common = warm ? 0.0 : coordinate_root(0.0, 0.5 * bend, bend, p);
  for (std::size_t i = 0; i < rows(); ++i) theta_[i] = warm ? -m_[i] : common;
  for (double& w : w_) w *= (warm ? 1.0 : p) / lambda_;
}

// One run of rows. Returns the gap of the rows, each as it was visited.
double L2Logistic::dual_run(const std::vector<std::int32_t>& order, std::size_t first) {
  double gap = 0.0;
  for (std::size_t k = first; k < std::min(first + kRun, order.size()); ++k) {
    const auto i = static_cast<std::size_t>(order[k]);
    const double s = weight(i), y = data_.y[i];
    const double m = y * (data_.X->row_dot(i, w_.data()) + b_), theta = theta_[i];
    double p = sigmoid(theta);
    const double old = p, residual = theta + m;
    // KL(p || q) between logits that differ by the residual, to second order from below.
    gap += s * std::min(std::fabs(residual), 0.5 * residual * residual * p * (1.0 - p));
    if (std::fabs(residual) >= kNegligible) {
      theta_[i] = coordinate_root(theta, m, s * squares_[i] / lambda_, p);
      data_.X->row_axpy(i, y * s * (p - old) / lambda_, w_.data());
    }
    balance_ += y * s * p;
    bend_ += s * p * (1.0 - p);
  }
  return gap;
}

// The pair (w, p) in one reading of X; only if that is close, the best point between p and q(w).
// The constraint of an intercept holds for neither p nor q, which is projected then.
bool L2Logistic::certify_dual(Report& report, Watch& watch) {
  if (data_.intercept) {
    evaluate(watch);
    margins_exact_ = true;
    keep_certified(current_gap(report.target, watch), report);
    return report.certificate.gap <= report.target;
  }
  for (std::size_t i = 0; i < rows(); ++i) m_[i] = -theta_[i];
  pair_.resize(rows());
  apart_.resize(cols());
  logistic_kernels().probability(m_.data(), rows(), pair_.data());
  double gap = evaluate_pair(watch);
  if (gap > report.target && gap <= kHopeful * report.target) {
    for (std::size_t i = 0; i < rows(); ++i) losses_[i] = data_.y[i] * weight(i) * q_[i];
    data_.X->transposed_times(losses_.data(), gradient_.data(), watch);
    passes_ += 1.0;
    finish_gradient();
    gap = best_between();
  }
  keep_certified(gap, report);
  carried_ = report.certificate.gap <= report.target;
  return carried_;
}

// Rows with entries and weight, in runs of neighbors: shuffled as runs, memory is read ahead.
std::vector<std::int32_t> L2Logistic::dual_rows() const {
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < rows(); ++i)
    if ((squares_[i] > 0.0 || data_.intercept) && weight(i) > 0.0)
      order.push_back(static_cast<std::int32_t>(i));
  return order;
}

// True if the certificate was reached; otherwise w_ is a start for Newton steps.
bool L2Logistic::dual_descent(const Limits& limits, Report& report, Watch& watch) {
  start_dual(watch);
  const std::vector<std::int32_t> order = dual_rows();
  std::vector<std::int32_t> runs((order.size() + kRun - 1) / kRun);
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k] = static_cast<std::int32_t>(k);
  Rng rng(0);
  std::vector<double> history;
  double tried = std::numeric_limits<double>::infinity();
  for (; static_cast<double>(report.iterations) < limits.max_iter; ++report.iterations) {
    rng.shuffle(runs.data(), runs.size());
    double left = balance_ = bend_ = 0.0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
      left += dual_run(order, static_cast<std::size_t>(runs[k]) * kRun);
      if (k % 64 == 0) watch.check();
    }
    passes_ += 1.0;
    if (data_.intercept && bend_ > 0.0) {
      b_ += balance_ / bend_;
      left += 0.5 * balance_ * balance_ / bend_;
    }
    history.push_back(left);
    if (left <= kHopeful * report.target && left <= 0.5 * tried) {
      tried = left;
      if (certify_dual(report, watch)) return true;
    }
    const std::size_t pass = history.size(), half = pass / 2;
    if (pass < kFirstPasses) continue;
    const double rate = std::log(history[half - 1] / left) / static_cast<double>(pass - half);
    if (!(std::log(kHopeful * left / report.target) < kPassesLeft * rate)) return false;
  }
  return false;
}

}  // namespace banditcd::l2_logistic
