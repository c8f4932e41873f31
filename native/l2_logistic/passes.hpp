// Passes over X in one solve: each is counted and priced, and the watch can stop it.
#pragma once
#include <utility>

#include "rows/row_matrix.hpp"
#include "solve/watch.hpp"

namespace banditcd::l2_logistic {

class Passes {
 public:
  Passes(const RowMatrix& X, const Limits& limits) : X_(X), watch_(limits) {}
  Watch& watch() { return watch_; }
  double seconds() const { return watch_.seconds(); }
  double count() const { return count_; }
  // Work so far, in nanoseconds of the price list.
  double work() const { return work_; }
  // Readings made elsewhere (row by row, or of a part of X), and what they cost.
  void add(double passes, double work) {
    count_ += passes;
    work_ += work;
  }
  // Work that is no reading of X.
  void charge(double work) { work_ += work; }

  // One pass: read(&RowMatrix::times, w, out) is X.times(w, out, watch), counted.
  template <class... Parameters, class... Arguments>
  void read(void (RowMatrix::*pass)(Parameters...) const, Arguments&&... arguments) {
    (X_.*pass)(std::forward<Arguments>(arguments)..., watch_);
    add(1.0, X_.pass_cost());
  }

 private:
  const RowMatrix& X_;
  Watch watch_;
  double count_ = 0.0, work_ = 0.0;
};

}  // namespace banditcd::l2_logistic
