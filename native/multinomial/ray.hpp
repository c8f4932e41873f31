// Trial points z + t dz along a direction: no trial needs a pass over X.
#pragma once
#include <algorithm>

#include "multinomial/point.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

class Ray {
 public:
  explicit Ray(const Problem& problem) : problem_(problem) {}
  void start(const Point& point) {
    origin_ = point.z;
    rounding_ = kRounding * point.primal();
  }
  // The predictors and probabilities of the point become those at length t; returns the loss.
  double loss_at(double t, const AlignedVector& change, Point& point, Watch& watch) const {
    for (std::size_t i = 0; i < change.size(); ++i) point.z[i] = origin_[i] + t * change[i];
    watch.check();
    return class_kernels().softmax(problem_.rows, point.z.data(), point.p.data());
  }
  // sum_i s_i (p_i - y_i) . dz_i: the slope of the loss at the probabilities of the point.
  double loss_slope(const AlignedVector& change, const Point& point) const {
    const std::size_t width = problem_.width();
    double sum = 0.0;
    for (std::size_t i = 0; i < problem_.count(); ++i) {
      const double *p = point.p.data() + i * width, *dz = change.data() + i * width;
      const double own = dz[problem_.rows.label[i]];
      double mean = 0.0;
      for (std::size_t k = 0; k < problem_.classes(); ++k) mean += p[k] * (dz[k] - own);
      sum += problem_.weight(i) * mean;
    }
    return sum;
  }
  // Whether the objective falls by enough of what its slope promises (Armijo), up to rounding.
  bool falls(double rise, double t, double slope) const {
    return rise <= kArmijo * t * std::min(slope, 0.0) + rounding_;
  }
  double rounding() const { return rounding_; }
  // To the origin again.
  void back(Point& point) const {
    point.z = origin_;
    point.arrive(class_kernels().softmax(problem_.rows, point.z.data(), point.p.data()));
  }

 private:
  const Problem& problem_;
  AlignedVector origin_;
  double rounding_ = 0.0;  // of the objective
};

}  // namespace banditcd::multinomial
