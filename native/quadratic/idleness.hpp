// The bound on what a solve spends without progress.
//
// Progress is a gap half as large as the best one before, or an objective that has fallen by a
// share of what can still be gained at most: the gap, or the objective itself, since neither a loss
// nor a penalty is negative. With about as many columns in use as there are rows, Newton steps drop
// one column after another long before any of this shows: a smaller support than ever is progress,
// too. At the limits of rounding there is none of them, however many coordinates still move.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "solve/certificate.hpp"

namespace banditcd {

class Idleness {
 public:
  // limit: what may be spent without progress, in epochs or whatever the caller counts. share: of
  // what can be gained, that is progress.
  explicit Idleness(double limit, double share = 1e-3) : limit_(limit), share_(share) {}

  void spend(double work) { idle_ += work; }
  // The problem has other columns now, whose gap is another one.
  void forget_gap() { gap_ = kInfinity; }
  // Looks at the point; returns whether it is time to give up.
  bool over(const Certificate& now, std::size_t support = 0) {
    const double gain = share_ * std::min(now.gap, now.primal);
    const bool halved = std::isfinite(gap_) && now.gap < 0.5 * gap_;
    if (halved || support < support_ || lowest_ - now.primal > gain) {
      idle_ = 0.0;
      lowest_ = std::min(lowest_, now.primal);
      support_ = std::min(support_, support);
    }
    if (halved || !std::isfinite(gap_)) gap_ = now.gap;
    return over();
  }
  bool over() const { return idle_ > limit_; }

 private:
  double limit_, share_, idle_ = 0.0;
  double gap_ = kInfinity, lowest_ = kInfinity;
  std::size_t support_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace banditcd
