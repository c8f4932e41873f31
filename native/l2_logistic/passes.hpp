// Passes over X in one solve: each is counted, and the watch can stop it.
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
  // Readings made elsewhere: row by row, or of a part of X.
  void add(double passes) { count_ += passes; }

  // One pass: read(&RowMatrix::times, w, out) is X.times(w, out, watch), counted.
  template <class... Parameters, class... Arguments>
  void read(void (RowMatrix::*pass)(Parameters...) const, Arguments&&... arguments) {
    (X_.*pass)(std::forward<Arguments>(arguments)..., watch_);
    add(1.0);
  }

 private:
  const RowMatrix& X_;
  Watch watch_;
  double count_ = 0.0;
};

}  // namespace banditcd::l2_logistic
