#include "svm/segment.hpp"

#include <cmath>

namespace banditcd::svm {

Segment::Segment(const Start& start, const DualMap& map, const LiveRows& rows,
                 const std::vector<double>& a)
    : slope_(start.slope),
      curvature_(start.curvature),
      margin_slope_(rows.slopes()),
      base_(rows.live().size()),
      fall_(rows.live().size()) {
  const Problem& problem = map.problem();
  const double scale = map.scale();
  const bool hinge = map.hinge();
  if (hinge) upper_.resize(base_.size());
  for (std::size_t k = 0; k < base_.size(); ++k) {
    const Index t = rows.live()[k];
    const double weight = scale * problem.cost[t];
    base_[k] = map.base(t) + weight * (problem.goal_of(t) - rows.margin(t));
    fall_[k] = weight * margin_slope_[k];
    if (hinge) upper_[k] = problem.cost[t];
    slope_ += a[t] * margin_slope_[k];
  }
}

double Segment::derivative(double t) const {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  const bool boxed = !upper_.empty();
  for (std::size_t k = 0; k < base_.size(); ++k) {
    double a = std::max(base_[k] - t * fall_[k], 0.0);
    if (boxed) a = std::min(a, upper_[k]);
    sum[k % 4] += a * margin_slope_[k];
  }
  return slope_ + t * curvature_ - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

// The derivative increases, so a bracketed secant step (Illinois) finds its zero.
double Segment::minimizer(double first, double flat) const {
  constexpr int most = 40, halving = 6;  // every sixth step halves the bracket
  const double enough = flat * -first;
  double low = 0.0, low_slope = first;
  double high = 1.0, high_slope = derivative(1.0);
  if (high_slope <= enough) return 1.0;
  int side = 0;
  for (int step = 0; step < most; ++step) {
    double t = (low * high_slope - high * low_slope) / (high_slope - low_slope);
    if (!(t > low && t < high)) t = 0.5 * (low + high);
    if (step % halving == halving - 1) t = 0.5 * (low + high);
    const double at = derivative(t);
    if (std::abs(at) <= enough) return t;
    if (at < 0.0) {
      low = t;
      low_slope = at;
      if (side == -1) high_slope *= 0.5;
      side = -1;
    } else {
      high = t;
      high_slope = at;
      if (side == 1) low_slope *= 0.5;
      side = 1;
    }
  }
  return low;  // never a point beyond the minimum
}

}  // namespace banditcd::svm
