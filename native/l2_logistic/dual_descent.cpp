#include "l2_logistic/dual_descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/logistic_loops.hpp"
#include "kernels/rng.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr std::size_t kRootSteps = 12;
constexpr double kRootLeft = 0.02;        // of the first residual of one coordinate
constexpr double kNegligible = 1e-12;     // a residual of a logit that moves nothing
constexpr std::size_t kRun = 8;           // neighboring rows visited together
constexpr std::size_t kWatchedRows = 64;  // rows, or runs, between two looks at the watch

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

// Whether the mean speed of the second half of the passes leads to the target soon enough.
bool quick_enough(const std::vector<double>& gaps, double target) {
  const std::size_t passes = gaps.size(), half = passes / 2;
  if (passes < kFirstPasses) return true;
  const double rate = std::log(gaps[half - 1] / gaps.back()) / static_cast<double>(passes - half);
  return std::log(kHopeful * gaps.back() / target) < kPassesLeft * rate;
}

}  // namespace

bool DualDescent::run(Point& point, const Goal& goal, std::size_t& iterations, Passes& passes) {
  start(point, passes);
  list_rows();
  Rng rng(0);
  std::vector<double> gaps;
  double tried = kInfinity;
  for (; static_cast<double>(iterations) < goal.max_iter; ++iterations) {
    rng.shuffle(runs_.data(), runs_.size());
    const double gap = pass(point, passes);
    gaps.push_back(gap);
    if (gap <= kHopeful * goal.target && gap <= 0.5 * tried) {
      tried = gap;
      if (goal.certified()) return true;
    }
    if (!quick_enough(gaps, goal.target)) return false;
  }
  return false;
}

// All probabilities equal, the best of them, or those of the last solve; w follows, and the squared
// norms of the rows come with it.
void DualDescent::start(Point& point, Passes& passes) {
  const std::size_t n = problem_.rows();
  const double lambda = problem_.lambda;
  std::vector<double>& w = point.w;
  const bool warm = !point.is_zero();
  if (warm) point.evaluate(passes);
  logit_.resize(n);
  squares_.resize(n);
  std::fill(w.begin(), w.end(), 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double s = problem_.weight(i);
    problem_.X->row_axpy(i, problem_.y[i] * s * (warm ? point.q[i] : 1.0), w.data());
    squares_[i] = problem_.X->row_square(i);
    total += s;
    if (i % kWatchedRows == 0) passes.watch().check();
  }
  passes.add(1.0);
  const double h = dot(w.data(), w.data(), w.size()) / (lambda * std::max(total, 1e-300));
  double p = 0.5;
  // total H(p) - p^2 |v|^2 / (2 lambda) is largest where logit(p) + h p = 0.
  const double common = warm ? 0.0 : coordinate_root(0.0, 0.5 * h, h, p);
  for (std::size_t i = 0; i < n; ++i) logit_[i] = warm ? -point.margin[i] : common;
  for (double& value : w) value *= (warm ? 1.0 : p) / lambda;
}

// Rows with entries and weight, in runs of neighbors: shuffled as runs, memory is read ahead.
void DualDescent::list_rows() {
  order_.clear();
  for (std::size_t i = 0; i < problem_.rows(); ++i)
    if ((squares_[i] > 0.0 || problem_.intercept) && problem_.weight(i) > 0.0)
      order_.push_back(static_cast<std::int32_t>(i));
  runs_.resize((order_.size() + kRun - 1) / kRun);
  std::iota(runs_.begin(), runs_.end(), 0);
}

// One visit to every row, and the intercept's step. Returns the gap that was seen.
double DualDescent::pass(Point& point, Passes& passes) {
  Sums sums;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const std::size_t first = static_cast<std::size_t>(runs_[k]) * kRun;
    double gap = 0.0;
    for (std::size_t t = first; t < std::min(first + kRun, order_.size()); ++t)
      gap += visit(static_cast<std::size_t>(order_[t]), point, sums);
    sums.gap += gap;
    if (k % kWatchedRows == 0) passes.watch().check();
  }
  passes.add(1.0);
  if (problem_.intercept && sums.curvature > 0.0) {
    point.b += sums.imbalance / sums.curvature;
    sums.gap += 0.5 * sums.imbalance * sums.imbalance / sums.curvature;
  }
  return sums.gap;
}

// Returns what the row adds to the gap, as it was before.
double DualDescent::visit(std::size_t i, Point& point, Sums& sums) {
  const double s = problem_.weight(i), y = problem_.y[i], theta = logit_[i];
  const double m = y * (problem_.X->row_dot(i, point.w.data()) + point.b);
  double p = sigmoid(theta);
  const double old = p, residual = theta + m;
  // KL(p || q) between logits that differ by the residual, to second order from below.
  const double gap = s * std::min(std::fabs(residual), 0.5 * residual * residual * p * (1.0 - p));
  if (std::fabs(residual) >= kNegligible) {
    logit_[i] = coordinate_root(theta, m, s * squares_[i] / problem_.lambda, p);
    problem_.X->row_axpy(i, y * s * (p - old) / problem_.lambda, point.w.data());
  }
  sums.imbalance += y * s * p;
  sums.curvature += s * p * (1.0 - p);
  return gap;
}

}  // namespace banditcd::l2_logistic
