#include "l2_logistic/line_search.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/logistic_math.hpp"
#include "kernels/vector.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kSlopeLeft = 0.2;     // a step is good enough if at most this share is left
constexpr std::size_t kSearches = 60;  // evaluations of one search
constexpr double kFarthest = 1e6;      // whole steps
constexpr double kRounding = 1e-12;    // of the objective, by which a step may go up

// Fast towards zero as long as nothing is known below.
double middle(double low, double high) { return low == 0.0 ? high / 8.0 : 0.5 * (low + high); }

bool not_above(double primal, double before) {
  return primal <= before + kRounding * std::fabs(before);
}

}  // namespace

bool LineSearch::run(Point& point, const NewtonDirection& direction, Passes& passes) {
  const std::vector<double>& step = direction.step();
  const double before = point.primal;
  Slopes slopes = {point.slope(step, direction.step_b()), 0.0, 0.0, 0.0};
  if (!(slopes.first < 0.0)) return false;
  old_margin_ = point.margin;
  old_q_ = point.q;
  for (std::size_t j = 0; j < step.size(); ++j) {
    if (problem_.excluded(j)) continue;
    slopes.linear += problem_.strength(j) * point.w[j] * step[j];
    slopes.quadratic += problem_.strength(j) * step[j] * step[j];
  }
  axpy(1.0, step.data(), point.w.data(), step.size());
  point.b += direction.step_b();
  point.evaluate(passes);
  slopes.last = point.slope(step, direction.step_b());
  tau_ = 1.0;
  if (!not_above(point.primal, before) ||
      std::fabs(slopes.last) > kSlopeLeft * std::fabs(slopes.first)) {
    tau_ = search(point.margin, slopes);
    if (tau_ != 1.0) move_back(point, direction, passes);
  }
  return not_above(point.primal, before);
}

// The root of the slope in tau, to kSlopeLeft of the first slope: Newton in one dimension, kept
// inside a bracket.
double LineSearch::search(const std::vector<double>& new_margin, const Slopes& slopes) const {
  const std::size_t n = new_margin.size();
  double low = 0.0, high = slopes.last > 0.0 ? 1.0 : kFarthest, tau = 1.0;
  std::vector<double> at(n), q(n);
  for (std::size_t trial = 0; trial < kSearches; ++trial) {
    for (std::size_t i = 0; i < n; ++i)
      at[i] = old_margin_[i] + tau * (new_margin[i] - old_margin_[i]);
    logistic_kernels().probability(at.data(), n, q.data());
    double slope = slopes.linear + tau * slopes.quadratic, curvature = slopes.quadratic;
    for (std::size_t i = 0; i < n; ++i) {
      const double move = new_margin[i] - old_margin_[i], s = problem_.weight(i);
      slope -= s * q[i] * move;
      curvature += s * q[i] * (1.0 - q[i]) * move * move;
    }
    if (std::fabs(slope) <= kSlopeLeft * std::fabs(slopes.first)) break;
    (slope > 0.0 ? high : low) = tau;
    double next = curvature > 0.0 ? tau - slope / curvature : kFarthest;
    if (!(next > low && next < high)) next = high == kFarthest ? 4.0 * tau : middle(low, high);
    tau = std::min(next, 10.0 * tau);
  }
  return tau;
}

// From the whole step, already taken, to tau times it.
void LineSearch::move_back(Point& point, const NewtonDirection& direction, Passes& passes) const {
  axpy(tau_ - 1.0, direction.step().data(), point.w.data(), point.w.size());
  point.b += (tau_ - 1.0) * direction.step_b();
  for (std::size_t i = 0; i < old_margin_.size(); ++i)
    point.margin[i] = old_margin_[i] + tau_ * (point.margin[i] - old_margin_[i]);
  point.evaluate_margins(passes);
}

}  // namespace banditcd::l2_logistic
