#include "svm/segment.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::svm {

// use(place in live(), base, fall, upper) for the rows that are not flat at both ends.
template <class Use>
void Segment::each_moving(const Use& use) const {
  const Problem& problem = map_.problem();
  const double scale = map_.scale();
  for (std::size_t k = 0; k < rows_.live().size(); ++k) {
    const Index t = rows_.live()[k];
    const double cost = problem.cost(t), upper = map_.hinge() ? cost : kInfinity;
    const double base = map_.base(t) + scale * cost * (problem.goal_of(t) - rows_.margin(t));
    const double fall = scale * cost * rows_.slopes()[k], end = base - fall;
    if ((base > 0.0 || end > 0.0) && (base < upper || end < upper)) use(k, base, fall, upper);
  }
}

Segment::Segment(const Start& start, const DualMap& map, const LiveRows& rows,
                 const std::vector<double>& a)
    : map_(map), rows_(rows), slope_(start.slope), curvature_(start.curvature) {
  double sum = 0.0;
  each_moving([&](std::size_t k, double base, double fall, double upper) {
    const double q = rows_.slopes()[k];
    slope_ += a[rows_.live()[k]] * q;
    sum += std::min(std::max(base - fall, 0.0), upper) * q;
    ++moving_;
  });
  last_ = slope_ + curvature_ - sum;
}

void Segment::gather() {
  which_.reserve(moving_);
  base_.reserve(moving_);
  each_moving([&](std::size_t k, double base, double, double) {
    which_.push_back(static_cast<Index>(k));
    base_.push_back(base);
  });
}

double Segment::derivative(double t) const {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  const Problem& problem = map_.problem();
  const bool boxed = map_.hinge();
  const double along = t * map_.scale();
  for (std::size_t k = 0; k < base_.size(); ++k) {
    const Index at = which_[k];
    const double q = rows_.slopes()[at], cost = problem.cost(rows_.live()[at]);
    double a = std::max(base_[k] - along * cost * q, 0.0);
    if (boxed) a = std::min(a, cost);
    sum[k % 4] += a * q;
  }
  return slope_ + t * curvature_ - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

// The derivative increases, so a bracketed secant step (Illinois) finds its zero.
double Segment::minimizer(double first, double flat) {
  constexpr int most = 40, halving = 6;  // every sixth step halves the bracket
  const double enough = flat * -first;
  double low = 0.0, low_slope = first;
  double high = 1.0, high_slope = last_;
  if (high_slope <= enough) return 1.0;
  gather();
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
