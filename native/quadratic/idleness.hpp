// The bound on what the solve of a pool spends without progress.
//
// Progress is a gap half as large as the best one before, or an objective that has fallen by a
// share of what can still be gained at most: the gap, or the objective itself, since neither a loss
// nor a penalty is negative. At the limits of rounding there is neither, however many coordinates
// still move.
#pragma once
#include <algorithm>
#include <cmath>

#include "solve/certificate.hpp"

namespace banditcd {

class Idleness {
 public:
  // limit: what may be spent without progress, in epochs or whatever the caller counts.
  explicit Idleness(double limit) : limit_(limit) {}

  void spend(double work) { idle_ += work; }
  // The problem has other columns now, whose gap is another one.
  void forget_gap() { gap_ = kInfinity; }
  // Looks at the point; returns whether it is time to give up.
  bool over(const Certificate& now) {
    const double gain = kShare * std::min(now.gap, now.primal);
    const bool halved = std::isfinite(gap_) && now.gap < 0.5 * gap_;
    if (halved || lowest_ - now.primal > gain) {
      idle_ = 0.0;
      lowest_ = std::min(lowest_, now.primal);
    }
    if (halved || !std::isfinite(gap_)) gap_ = now.gap;
    return over();
  }
  bool over() const { return idle_ > limit_; }

 private:
  static constexpr double kShare = 1e-3;
  double limit_, idle_ = 0.0;
  double gap_ = kInfinity, lowest_ = kInfinity;
};

}  // namespace banditcd
