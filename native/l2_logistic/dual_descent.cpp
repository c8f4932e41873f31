#include "l2_logistic/dual_descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/logistic_loops.hpp"
#include "kernels/rng.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/regime.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr std::size_t kRootSteps = 12;
constexpr double kRootLeft = 0.02;     // of the first residual of one coordinate
constexpr double kNegligible = 1e-12;  // a residual of a logit that moves nothing
constexpr double kRowsShare = 0.02;    // of the gap that the intercept must hold for a secant step
constexpr double kBendFall = 4.0;      // most by which the intercept's curvature falls in a pass
constexpr std::size_t kRun = 8;        // neighboring rows visited together
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

}  // namespace

DualDescent::End DualDescent::run(Point& point, const Goal& goal, std::size_t& iterations,
                                  Passes& passes) {
  start(point, goal.rounded, passes);
  list_rows();
  Rng rng(0);
  double tried = kInfinity, least = kInfinity;
  std::size_t idle = 0;
  for (; static_cast<double>(iterations) < goal.max_iter; ++iterations) {
    rng.shuffle(runs_.data(), runs_.size());
    const double gap = pass(point, passes);
    if (gap <= kHopeful * goal.target && gap <= 0.5 * tried) {
      tried = gap;
      if (goal.certified()) return End::kCertified;
    }
    if (!goal.goes_on(gap)) return End::kLeft;
    idle = gap < least ? 0 : idle + 1;
    least = std::min(least, gap);
    if (idle > kIdlePasses) return End::kStalled;
  }
  return End::kMaxIter;
}

// All probabilities equal, the best of them, or those of the point; w follows.
void DualDescent::start(Point& point, bool rounded, Passes& passes) {
  const std::size_t n = problem_.rows();
  const double lambda = problem_.lambda;
  const bool warm = !point.is_zero();
  if (warm) point.evaluate(passes);
  read_rows(point, warm, rounded, passes);
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += problem_.weight(i);
  const double h = dot(sum_.data(), sum_.data(), sum_.size()) / (lambda * std::max(total, 1e-300));
  double p = 0.5;
  // total H(p) - p^2 |v|^2 / (2 lambda) is largest where logit(p) + h p = 0.
  const double common = warm ? 0.0 : coordinate_root(0.0, 0.5 * h, h, p);
  bias_ = {};
  logit_.resize(n);
  for (std::size_t i = 0; i < n; ++i) logit_[i] = warm ? -point.margin[i] : common;
  for (std::size_t j = 0; j < sum_.size(); ++j) point.w[j] = sum_[j] * (warm ? 1.0 : p) / lambda;
}

// The sum of the rows and their squares, and the copy in the same pass.
void DualDescent::read_rows(const Point& point, bool warm, bool rounded, Passes& passes) {
  const std::size_t n = problem_.rows();
  const RowMatrix& X = *problem_.X;
  sum_.assign(problem_.cols(), 0.0);
  squares_.resize(n);
  rounded_.reset();
  const bool copies = rounded && !X.single() && static_cast<double>(X.entries()) >= kCopyEntries;
  if (copies) copy_.resize(X.entries());
  float* to = copy_.data();
  bool in_range = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = problem_.weight(i) * (warm ? point.q[i] : 1.0);
    X.row_axpy(i, problem_.y[i] * size, sum_.data());
    squares_[i] = X.row_square(i);
    in_range &= squares_[i] == 0.0 || (squares_[i] > kCopyLeast && squares_[i] < kCopyMost);
    if (copies) {
      X.round_row(i, to);
      to += X.row_entries(i);
    }
    if (i % kWatchedRows == 0) passes.watch().check();
  }
  passes.add(1.0, X.pass_cost());
  if (copies && in_range) rounded_ = X.rounded(copy_.data());
  rows_ = rounded_ ? rounded_.get() : &X;
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
    for (std::size_t t = first; t < std::min(first + kRun, order_.size()); ++t)
      visit(static_cast<std::size_t>(order_[t]), point, sums);
    if (k % kWatchedRows == 0) passes.watch().check();
  }
  passes.add(1.0, dual_pass_cost(problem_, rounded_ != nullptr));
  if (!problem_.intercept || !(sums.curvature > 0.0)) return sums.gap;
  const double step = bias_.step(sums);
  point.b += step;
  return sums.gap + 0.5 * sums.imbalance * step;
}

// As long as the rows hold nearly all of the gap, the sum changes with them rather than with b: a
// step for b alone is safe then, and where the sum did not answer to the last step.
double DualDescent::BiasSteps::step(const Sums& sums) {
  double bend = sums.curvature;
  const double answer = last_imbalance_ - sums.imbalance;
  if (answer * last_step_ > 0.0)
    bend = std::clamp(answer / last_step_, std::min(bend_ / kBendFall, bend), bend);
  if (0.5 * sums.imbalance * sums.imbalance < kRowsShare * sums.gap * bend) bend = sums.curvature;
  bend_ = bend;
  last_imbalance_ = sums.imbalance;
  return last_step_ = sums.imbalance / bend;
}

// Adds what the row adds to the gap, as it was before.
void DualDescent::visit(std::size_t i, Point& point, Sums& sums) {
  const double s = problem_.weight(i), y = problem_.y[i], theta = logit_[i];
  const double m = y * (rows_->row_dot(i, point.w.data()) + point.b);
  double p = sigmoid(theta);
  const double old = p, residual = theta + m;
  // KL(p || q) between logits that differ by the residual, to second order from below.
  sums.gap += s * std::min(std::fabs(residual), 0.5 * residual * residual * p * (1.0 - p));
  if (std::fabs(residual) >= kNegligible) {
    logit_[i] = coordinate_root(theta, m, s * squares_[i] / problem_.lambda, p);
    rows_->row_axpy(i, y * s * (p - old) / problem_.lambda, point.w.data());
  }
  sums.imbalance += y * s * p;
  sums.curvature += s * p * (1.0 - p);
}

}  // namespace banditcd::l2_logistic
