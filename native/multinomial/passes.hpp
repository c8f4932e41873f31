// Passes over the rows of X for all classes at once: each is counted, and the watch can stop it.
#pragma once
#include "multinomial/problem.hpp"
#include "rows/row_matrix.hpp"

namespace banditcd::multinomial {

class Passes {
 public:
  Passes(const RowMatrix& X, const Limits& limits) : X_(X), watch_(limits) {}
  const RowMatrix& X() const { return X_; }
  Watch& watch() { return watch_; }
  double count() const { return count_; }
  void add(double passes) { count_ += passes; }

  void times(const double* w, std::size_t width, double* out) {
    X_.times_classes(w, width, out, watch_);
    add(1.0);
  }
  void transposed_times(const double* v, std::size_t width, double* out) {
    X_.transposed_times_classes(v, width, out, watch_);
    add(1.0);
  }
  void transform(const double* w, std::size_t width, const BlockMap& map, double* out) {
    X_.transform_classes(w, width, map, out, watch_);
    add(1.0);
  }

 private:
  const RowMatrix& X_;
  Watch watch_;
  double count_ = 0.0;
};

}  // namespace banditcd::multinomial
