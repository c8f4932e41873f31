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

constexpr std::size_t kRootSteps = 20;
constexpr double kRootLeft = 0.02;     // of the first residual of one coordinate, or of kFar
constexpr double kFar = 1.0;           // a residual from which on the old logit is no good start
constexpr double kNegligible = 1e-12;  // a residual of a logit that moves nothing
constexpr double kRowsShare = 0.02;    // of the gap that the intercept must hold for a secant step
constexpr double kBendFall = 4.0;      // most by which the intercept's curvature falls in a pass
constexpr double kCopyPasses = 3.0;    // that must lie ahead for a copy to pay
constexpr std::size_t kRun = 8;        // neighboring rows visited together
constexpr std::size_t kWatchedRows = 64;  // rows, or runs, between two looks at the watch

// One at a time the library's exp is quicker than the loops' own, whose terms wait for each other.
double sigmoid(double theta) {
  const double t = std::exp(-std::min(std::fabs(theta), kLargest));
  return (theta >= 0.0 ? 1.0 : t) / (1.0 + t);
}

// A start for the root of theta + h sigma(theta) - c: the logit of c / h, where h dwarfs theta, or
// else a point from which Newton's method goes straight to the root.
double distant_start(double c, double h) {
  if (c <= 0.0) return c;
  if (c >= h) return c - h;
  return h > 1.0 ? std::log(c / (h - c)) : c;
}

// The root of theta + m + h (sigma(theta) - p) from theta on; p becomes sigma of the root.
double coordinate_root(double theta, double m, double h, double& p) {
  const double first = theta + m, c = h * p - m;
  double low = std::min(theta, theta - first), high = std::max(theta, theta - first), f = first;
  if (std::fabs(first) > kFar) {
    theta = std::clamp(distant_start(c, h), low, high);
    p = sigmoid(theta);
    f = theta + h * p - c;
  }
  const double left = kRootLeft * std::min(std::fabs(first), kFar);
  for (std::size_t k = 0; k < kRootSteps && std::fabs(f) > left; ++k) {
    (f > 0.0 ? high : low) = theta;
    double next = theta - f / (1.0 + h * p * (1.0 - p));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    theta = next;
    p = sigmoid(theta);
    f = theta + h * p - c;
  }
  return theta;
}

// Whether more passes than a copy is worth lie ahead, at the speed of the last one.
bool is_far(double before, double gap, double target) {
  return std::log(gap / target) > kCopyPasses * std::log(before / gap);
}

}  // namespace

DualDescent::End DualDescent::run(Point& point, const Goal& goal, std::size_t& iterations,
                                  Passes& passes) {
  start(point, passes);
  list_rows();
  state_ = goal.rounded && in_range_ && copy_pays(problem_) ? Copy::kAllowed : Copy::kNever;
  Rng rng(0);
  double tried = kInfinity, least = kInfinity, last = kInfinity;
  std::size_t idle = 0;
  for (; static_cast<double>(iterations) < goal.max_iter; ++iterations) {
    rng.shuffle(runs_.data(), runs_.size());
    const double gap = pass(point, passes);
    if (gap <= kHopeful * goal.target && gap <= 0.5 * tried) {
      tried = gap;
      if (goal.certified()) return End::kCertified;
    }
    if (!goal.goes_on(gap)) return End::kLeft;
    if (state_ == Copy::kAllowed && last < kInfinity && is_far(last, gap, goal.target))
      begin_copy();
    last = gap;
    idle = gap < least ? 0 : idle + 1;
    least = std::min(least, gap);
    if (idle > kIdlePasses) return End::kStalled;
  }
  return End::kMaxIter;
}

// All probabilities equal, the best of them, or those of the point; w follows.
void DualDescent::start(Point& point, Passes& passes) {
  const std::size_t n = problem_.rows();
  const double lambda = problem_.lambda;
  const bool warm = !point.is_zero();
  if (warm) {
    point.evaluate_beside(point.q, point.gradient, passes);
    point.w.swap(point.gradient);
  }
  read_rows(!warm, point, passes);
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += problem_.weight(i);
  const double square = dot(point.w.data(), point.w.data(), point.w.size());
  const double h = square / (lambda * std::max(total, 1e-300));
  double p = 0.5;
  // total H(p) - p^2 |v|^2 / (2 lambda) is largest where logit(p) + h p = 0.
  const double common = warm ? 0.0 : coordinate_root(0.0, 0.5 * h, h, p);
  bias_ = {};
  logit_.resize(n);
  for (std::size_t i = 0; i < n; ++i) logit_[i] = warm ? -point.margin[i] : common;
  if (warm)
    p_ = point.q;
  else
    p_.assign(n, p);
  for (double& value : point.w) value *= (warm ? 1.0 : p) / lambda;
}

// The squares of the rows and, if `sums`, w = sum_i y_i s_i x_i from w = 0, in one pass.
void DualDescent::read_rows(bool sums, Point& point, Passes& passes) {
  const std::size_t n = problem_.rows();
  const RowMatrix& X = *problem_.X;
  squares_.resize(n);
  rounded_.reset();
  in_range_ = true;
  for (std::size_t i = 0; i < n; ++i) {
    if (sums) X.row_axpy(i, problem_.y[i] * problem_.weight(i), point.w.data());
    squares_[i] = X.row_square(i);
    in_range_ &= squares_[i] == 0.0 || (squares_[i] > kCopyLeast && squares_[i] < kCopyMost);
    if (i % kWatchedRows == 0) passes.watch().check();
  }
  passes.add(1.0, X.pass_cost());
  rows_ = &X;
}

// The next pass writes a copy of every row that it visits, and those after it read the copy.
void DualDescent::begin_copy() {
  const RowMatrix& X = *problem_.X;
  if (!copy_) copy_.reset(new float[X.entries()]);
  places_.resize(problem_.rows());
  std::size_t place = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    places_[i] = place;
    place += X.row_entries(i);
  }
  state_ = Copy::kWritten;
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
  passes.add(1.0, dual_pass_cost(problem_, state_ == Copy::kRead));
  if (state_ == Copy::kWritten) {
    rounded_ = problem_.X->rounded(copy_.get());
    rows_ = rounded_.get();
    state_ = Copy::kRead;
  }
  if (!problem_.intercept || !(sums.curvature > 0.0)) return sums.gap;
  const double step = bias_.step(sums);
  point.b += step;
  return sums.gap + 0.5 * sums.imbalance * step;
}

// As long as the rows hold nearly all of the gap, the sum changes with them rather than with b: a
// step for b alone is safe then, and where the sum did not answer to the last step, or overshot:
// with few columns it answers late, and secants of a late answer take longer and longer steps.
double DualDescent::BiasSteps::step(const Sums& sums) {
  double bend = sums.curvature;
  const double answer = last_imbalance_ - sums.imbalance;
  const bool overshot = std::fabs(sums.imbalance) > std::fabs(last_imbalance_);
  if (answer * last_step_ > 0.0 && !overshot)
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
  double p = p_[i];
  const double old = p, residual = theta + m;
  // KL(p || q) between logits that differ by the residual, to second order from below.
  sums.gap += s * std::min(std::fabs(residual), 0.5 * residual * residual * p * (1.0 - p));
  if (std::fabs(residual) >= kNegligible) {
    logit_[i] = coordinate_root(theta, m, s * squares_[i] / problem_.lambda, p);
    rows_->row_axpy(i, y * s * (p - old) / problem_.lambda, point.w.data());
    p_[i] = p;
  }
  if (state_ == Copy::kWritten) rows_->round_row(i, copy_.get() + places_[i]);
  sums.imbalance += y * s * p;
  sums.curvature += s * p * (1.0 - p);
}

}  // namespace banditcd::l2_logistic
