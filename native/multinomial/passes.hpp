// Passes over the rows of X for all classes at once: each is counted, and the watch can stop it.
#pragma once
#include "multinomial/problem.hpp"
#include "rows/class_passes.hpp"

namespace banditcd::multinomial {

class Passes {
 public:
  Passes(const RowMatrix& X, const Limits& limits)
      : X_(X), classes_(X.class_passes()), watch_(limits) {}
  const RowMatrix& X() const { return X_; }
  Watch& watch() { return watch_; }
  double count() const { return count_; }
  void add(double passes) { count_ += passes; }
  // Work in nanoseconds of the price list: that of products and factors, and with the passes.
  void spend(double work) { matrices_ += work; }
  double work(double pass_cost) const { return count_ * pass_cost + matrices_; }

  void times(const double* w, std::size_t width, double* out) {
    classes_->times(w, width, out, watch_);
    add(1.0);
  }
  void transposed_times(const double* v, std::size_t width, double* out) {
    classes_->transposed_times(v, width, out, watch_);
    add(1.0);
  }
  void transposed_squares(const double* v, std::size_t width, double* out) {
    classes_->transposed_squares(v, width, out, watch_);
    add(1.0);
  }
  void transform(const double* w, std::size_t width, const BlockMap& map, double* out) {
    classes_->transform(w, width, map, out, watch_);
    add(1.0);
  }

 private:
  const RowMatrix& X_;
  std::unique_ptr<ClassPasses> classes_;
  Watch watch_;
  double count_ = 0.0, matrices_ = 0.0;
};

}  // namespace banditcd::multinomial
