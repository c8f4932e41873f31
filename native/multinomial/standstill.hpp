// The end of a solve that rounding keeps from its target: steps in a row that lower neither the
// objective nor the gap of a point's own dual point. Close to the optimum the objective falls by
// less than its own rounding while Newton steps still shrink the gradient. There each of them
// squares the gap, or nearly does: one that falls by less than kShrunk from the least gap before
// counts as idle, so that kPatience + 1 steps at a factor of 0.6 each, without any decrease of the
// objective, end a solve.
//
// Where the target itself is below the rounding of the null model's objective, a solve is to be as
// exact as it gets at once. Newton steps shrink a small gap quickly; with nearly no penalty on
// classes that X separates there is no such end, and the objective falls by a few percent a step
// for ever. Below a small gap (`fine`) a lower objective is therefore no progress.
#pragma once
#include <algorithm>
#include <cstddef>

#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

class Standstill {
 public:
  explicit Standstill(double fine = 0.0) : fine_(fine) {}
  bool over(double primal, double gap) {
    const bool lower = primal < lowest_ && gap > fine_;
    if (lower || gap < kShrunk * gap_) {
      idle_ = 0;
      gap_ = std::min(gap_, gap);
    } else {
      ++idle_;
    }
    lowest_ = std::min(lowest_, primal);
    return idle_ > kPatience;
  }

 private:
  double fine_, lowest_ = kInfinity;
  double gap_ = kInfinity;  // at the last progress
  std::size_t idle_ = 0;
};

// The gap from which on only a smaller gap is progress, for a target of `tol` times the null
// model's objective.
inline double fine_gap(double tol, double null_objective) {
  return tol < kRounding ? kFine * null_objective : 0.0;
}

}  // namespace banditcd::multinomial
