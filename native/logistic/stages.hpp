// Penalties on the way down to a small one, from larger to smaller.
//
// With many columns and a small penalty, the first few columns would be made to fit what belongs to
// others; rough solutions for larger penalties come first. The penalty asked for is `steepness`
// times smaller than the largest one that matters. Stages are at most a factor kStage apart, and
// cover at most kReach from that one down: below, a penalty no longer shows beside the loss in
// float64, so that a stage could not change what the one before it found.
#pragma once
#include <algorithm>
#include <cmath>

namespace banditcd::logistic {

class Stages {
 public:
  explicit Stages(double steepness)
      : steepness_(std::min(steepness, kSteepest)), reach_(std::min(steepness_, kReach)) {
    if (reach_ > kStage)  // also false where no column is above its threshold
      count_ = static_cast<int>(std::ceil(std::log(reach_) / std::log(kStage))) - 1;
  }
  int count() const { return count_; }
  // What the penalty asked for is multiplied by, for stages count(), ..., 2, 1.
  double factor(int stage) const {
    return steepness_ / reach_ *
           std::pow(reach_, static_cast<double>(stage) / static_cast<double>(count_ + 1));
  }

 private:
  static constexpr double kStage = 10.0;
  static constexpr double kReach = 1e16;      // the digits of float64
  static constexpr double kSteepest = 1e100;  // no factor makes a penalty overflow
  double steepness_, reach_;
  int count_ = 0;
};

}  // namespace banditcd::logistic
