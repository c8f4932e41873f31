// The end of a solve that rounding keeps from its target: steps in a row that lower neither the
// objective nor the gap of a point's own dual point. Close to the optimum the objective falls by
// less than its own rounding while Newton steps still shrink the gradient. There each of them
// squares the gap, or nearly does: one that falls by less than kShrunk from the least gap before
// counts as idle, so that kPatience + 1 steps at a factor of 0.6 each, without any decrease of the
// objective, end a solve.
#pragma once
#include <algorithm>
#include <cstddef>

#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

class Standstill {
 public:
  bool over(double primal, double gap) {
    const bool moves = primal < lowest_ || gap < kShrunk * least_gap_;
    idle_ = moves ? 0 : idle_ + 1;
    lowest_ = std::min(lowest_, primal);
    least_gap_ = std::min(least_gap_, gap);
    return idle_ > kPatience;
  }

 private:
  double lowest_ = kInfinity, least_gap_ = kInfinity;
  std::size_t idle_ = 0;
};

}  // namespace banditcd::multinomial
