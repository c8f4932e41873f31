// Passes over the rows of X for all classes at once: each is counted, and the watch can stop it.
#pragma once
#include "kernels/prices.hpp"
#include "multinomial/problem.hpp"
#include "rows/class_passes.hpp"

namespace banditcd::multinomial {

// One product with X for all classes, and what comes with a fused pass or a point beside it, in
// nanoseconds.
inline double class_product_cost(const RowMatrix& X, std::size_t width) {
  const double places = static_cast<double>(X.entries()) * static_cast<double>(width);
  return places * (X.sparse() ? kSparseClass : kDenseClass);
}
inline double class_rows_cost(const RowMatrix& X, std::size_t width, double price) {
  return static_cast<double>(X.rows() * width) * price;
}

class Passes {
 public:
  Passes(const RowMatrix& X, const Limits& limits)
      : X_(X), classes_(X.class_passes()), watch_(limits) {}
  const RowMatrix& X() const { return X_; }
  Watch& watch() { return watch_; }
  double count() const { return count_; }
  void add(double passes) { count_ += passes; }
  // Work in nanoseconds of the price list: products with X, matrices, factors and points.
  void spend(double work) { work_ += work; }
  double work() const { return work_; }

  void times(const double* w, std::size_t width, double* out) {
    classes_->times(w, width, out, watch_);
    charge(class_product_cost(X_, width));
  }
  void transposed_times(const double* v, std::size_t width, double* out) {
    classes_->transposed_times(v, width, out, watch_);
    charge(class_product_cost(X_, width));
  }
  void transposed_squares(const double* v, std::size_t width, double* out) {
    classes_->transposed_squares(v, width, out, watch_);
    charge(class_product_cost(X_, width));
  }
  void transform(const double* w, std::size_t width, const BlockMap& map, double* out) {
    classes_->transform(w, width, map, out, watch_);
    charge(2.0 * class_product_cost(X_, width) + class_rows_cost(X_, width, kClassCurve));
  }

 private:
  void charge(double work) {
    count_ += 1.0;
    work_ += work;
  }

  const RowMatrix& X_;
  std::unique_ptr<ClassPasses> classes_;
  Watch watch_;
  double count_ = 0.0, work_ = 0.0;
};

}  // namespace banditcd::multinomial
