// The search for a step length along a direction on which the objective is convex: its slope grows
// with the length t, so that two slopes of different sign enclose the best one.
//
// Trials need no pass over X, and a model that is wrong about a few rows of large norm leads far
// beyond the best length: there the first length that lowers the objective is a poor one.
#pragma once
#include <algorithm>
#include <cmath>

#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

class Bracket {
 public:
  explicit Bracket(double slope) : first_slope_(slope), low_slope_(slope) {}
  double length() const { return t_; }
  // Whether this slope at the length is flat enough, or the whole step falls to its end, or the
  // ends are close together.
  bool enough(double slope) const {
    const double flat = kFlat * std::fabs(first_slope_);
    if (high_ - low_ <= kClose * high_) return true;
    return slope <= flat && (t_ == 1.0 || slope >= -flat);
  }
  // The next length after one that lowers the objective.
  void narrow(double slope) {
    if (slope > 0.0)
      high_ = t_, high_slope_ = slope;
    else
      low_ = t_, low_slope_ = slope;
    const double share = low_slope_ / (low_slope_ - high_slope_);
    t_ = low_ + (share > kMargin ? std::min(share, 1.0 - kMargin) : kMargin) * (high_ - low_);
  }
  // The next length after one that does not.
  void halve(double slope) {
    high_ = t_, high_slope_ = std::max(slope, 0.0);
    low_ = 0.0, low_slope_ = first_slope_;
    t_ *= 0.5;
  }

 private:
  static constexpr double kFlat = 0.1;    // of the slope at the start
  static constexpr double kClose = 0.01;  // of the length
  static constexpr double kMargin = 0.1;  // of the bracket: what a trial keeps from its ends

  double first_slope_, low_slope_, high_slope_ = 0.0;
  double low_ = 0.0, high_ = 1.0, t_ = 1.0;
};

}  // namespace banditcd::multinomial
