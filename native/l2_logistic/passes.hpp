// Passes over X in one solve: each is counted, and the watch can stop it.
#pragma once
#include <cstddef>

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

  // As in RowMatrix.
  void times(const double* w, double* out) {
    X_.times(w, out, watch_);
    add(1.0);
  }
  void transposed_times(const double* v, double* out) {
    X_.transposed_times(v, out, watch_);
    add(1.0);
  }
  void transform(const double* w, const BlockMap& map, double* out) {
    X_.transform(w, map, out, watch_);
    add(1.0);
  }
  void squares(const double* d, double* out) {
    X_.squares(d, out, watch_);
    add(1.0);
  }
  void normal_matrix(const double* d, const double* shift, double* out, std::size_t stride) {
    X_.normal_matrix(d, shift, out, stride, watch_);
    add(1.0);
  }
  void rough_normal_matrix(const double* d, const double* shift, double* out, std::size_t stride) {
    X_.rough_normal_matrix(d, shift, out, stride, watch_);
    add(1.0);
  }
  void outer_matrix(const double* e, double* out, std::size_t stride) {
    X_.outer_matrix(e, nullptr, out, stride, watch_);
    add(1.0);
  }

 private:
  const RowMatrix& X_;
  Watch watch_;
  double count_ = 0.0;
};

}  // namespace banditcd::l2_logistic
