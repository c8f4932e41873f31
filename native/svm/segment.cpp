#include "svm/segment.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::svm {

Segment::Segment(const Start& start, const DualMap& map, const LiveRows& rows,
                 const std::vector<double>& a)
    : slope_(start.slope), curvature_(start.curvature), scale_(map.scale()), boxed_(map.hinge()) {
  const Problem& problem = map.problem();
  const auto each = [&](auto&& use) {
    for (std::size_t k = 0; k < rows.live().size(); ++k) {
      const Index t = rows.live()[k];
      const double cost = problem.cost(t), q = rows.slopes()[k];
      const double base = map.base(t) + scale_ * cost * (problem.goal_of(t) - rows.margin(t));
      const double low = std::min(base, base - scale_ * cost * q);
      const double high = std::max(base, base - scale_ * cost * q);
      if (high > 0.0 && !(boxed_ && low >= cost)) use(t, base, cost, q);
    }
  };
  std::size_t moving = 0;
  each([&](Index, double, double, double) { ++moving; });
  for (auto* values : {&base_, &cost_, &margin_slope_}) values->reserve(moving);
  each([&](Index t, double base, double cost, double q) {
    base_.push_back(base);
    cost_.push_back(cost);
    margin_slope_.push_back(q);
    slope_ += a[t] * q;
  });
}

double Segment::derivative(double t) const {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < base_.size(); ++k) {
    double a = std::max(base_[k] - t * (scale_ * cost_[k] * margin_slope_[k]), 0.0);
    if (boxed_) a = std::min(a, cost_[k]);
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
