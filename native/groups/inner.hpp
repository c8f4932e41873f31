// The inner solve: block coordinate descent finds the blocks in use, Newton's method on them finds
// the last digits.
#pragma once
#include <cstddef>
#include <vector>

#include "groups/model.hpp"
#include "groups/newton.hpp"

namespace banditcd::groups {

class InnerSolver {
 public:
  // Minimizes until the gap of the pool is at most `target`, or nothing improves any more.
  // Returns whether it got there.
  bool solve(Model& model, double target, Watch& watch);
  std::size_t epochs() const { return epochs_; }
  std::size_t newtons() const { return newton_.steps(); }

 private:
  // One sweep over all blocks, or over those in use. Returns whether a block came or went.
  bool sweep(Model& model, bool in_use, Watch& watch);
  bool newton_is_due(const Model& model, bool restless) const;

  Newton newton_;
  std::vector<double> c_, x_, delta_;
  double cost_ = 0.0;  // of the sweeps since the last Newton step, in nanoseconds
  std::size_t epochs_ = 0;
};

}  // namespace banditcd::groups
