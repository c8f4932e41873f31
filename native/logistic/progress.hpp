// The judge of bins: whether a solve goes on, and how carefully the next models are made.
//
// A bin that entered no column should have halved the gap. Where it did not, models may have been
// minimized too roughly, or been too steep: rows that are certain have hardly any curvature, and
// with large entries the least one rules the model. Columns far from zero without an intercept are
// nearly the same one: in Gram space their models end with few digits, and steps that hardly lead
// anywhere cost hundreds of epochs each. Such models are counted, however the objective falls.
#pragma once
#include <algorithm>

#include "quadratic/idleness.hpp"
#include "solve/certificate.hpp"

namespace banditcd::logistic {

class Progress {
 public:
  // given_up: models that were left too early, of all solves; hopeless: the solve
  // before this one was left because of them.
  Progress(std::size_t given_up, bool hopeless)
      : given_up_(given_up), most_(hopeless ? kGivenUpAgain : kGivenUp) {}
  // Looks at the certificate after a bin; promising: the bin was as it should be. Returns whether
  // it is worth going on.
  bool judge(const Certificate& now, bool promising, std::size_t given_up) {
    if (now.gap < 0.5 * halved_) {
      halved_ = now.gap;
      given_up_ = given_up;
    }
    hopeless_ = given_up - given_up_ > most_;
    if (hopeless_) return false;
    const bool falling = lowest_ - now.primal > kProgress * now.gap;
    lowest_ = std::min(lowest_, now.primal);
    if (!promising && !(now.gap < 0.5 * best_)) {
      if (!falling && --patience_ == 0) return false;
      if (!falling) precision_ *= kTighter;
      floor_ = std::max(kFlatter * floor_, kFlattest);
    }
    best_ = std::min(best_, now.gap);
    idleness_.spend(1.0);
    return !idleness_.over(now);
  }
  bool hopeless() const { return hopeless_; }
  // A factor on the accuracy that models usually have, and one on the least curvature of a row.
  double precision() const { return precision_; }
  double floor() const { return floor_; }

 private:
  static constexpr int kPatience = 6;                             // bins without any progress
  static constexpr std::size_t kGivenUp = 12, kGivenUpAgain = 1;  // models, since the gap halved
  static constexpr double kProgress = 1e-4;  // of the gap, that the objective has to fall
  static constexpr double kTighter = 0.01, kFlatter = 0.01, kFlattest = 1e-10;
  // Bins in which the objective falls, but by no more than this share of what can be gained.
  static constexpr double kIdleBins = 12.0, kIdleShare = 0.02;
  Idleness idleness_{kIdleBins, kIdleShare};
  std::size_t given_up_, most_;
  bool hopeless_ = false;
  double halved_ = kInfinity;
  double best_ = kInfinity, lowest_ = kInfinity;
  double precision_ = 1.0, floor_ = 1.0;
  int patience_ = kPatience;
};

}  // namespace banditcd::logistic
