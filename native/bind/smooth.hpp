// What the bindings of the smooth solvers share: argument types, checks, and rows with their owner.
#pragma once
#include <nanobind/ndarray.h>

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bind/arrays.hpp"
#include "bind/module.hpp"
#include "record/memory.hpp"
#include "smooth/ridge.hpp"
#include "smooth/row_matrix.hpp"

namespace banditcd::smooth_bind {

namespace nb = nanobind;
using namespace banditcd::smooth;

using banditcd::Output;
using banditcd::require;
using banditcd::Vector;
using Optional = OptionalVector;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Square = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline const double* side(const Optional& v, std::size_t size, const char* message) {
  require(!v || v->shape(0) == size, message);
  return v ? v->data() : nullptr;
}

// Runs native work without the GIL; Ctrl-C is noticed about every 50 ms and raised here.
template <class Work>
auto watched(double max_seconds, Work&& work) {
  bool signalled = false;
  const auto should_stop = [&signalled] {
    nb::gil_scoped_acquire gil;
    signalled = PyErr_CheckSignals() != 0;
    return signalled;
  };
  Watch watch(max_seconds, should_stop);
  try {
    nb::gil_scoped_release release;
    return work(watch);
  } catch (const banditcd::record::Stopped&) {
    if (signalled) throw nb::python_error();
    PyErr_SetString(PyExc_TimeoutError, "smooth solver: the time limit was reached");
    throw nb::python_error();
  }
}

class SmoothRows {
 public:
  SmoothRows(std::unique_ptr<RowMatrix> matrix, std::shared_ptr<const void> keep)
      : matrix_(std::move(matrix)), keep_(std::move(keep)) {}
  const RowMatrix& matrix() const { return *matrix_; }

  void times(Vector<double> w, Output out) const {
    require(w.shape(0) == matrix_->cols() && out.shape(0) == matrix_->rows(),
            "smooth solver: a product needs one value per column and one place per row");
    watched(kForever, [&](Watch& watch) { matrix_->times(w.data(), out.data(), watch); });
  }
  void transposed_times(Vector<double> v, Output out) const {
    require(v.shape(0) == matrix_->rows() && out.shape(0) == matrix_->cols(),
            "smooth solver: a product needs one value per row and one place per column");
    watched(kForever,
            [&](Watch& watch) { matrix_->transposed_times(v.data(), out.data(), watch); });
  }
  void squares(Vector<double> weight, Output out) const {
    require(weight.shape(0) == matrix_->rows() && out.shape(0) == matrix_->cols(),
            "smooth solver: squares need one weight per row and one place per column");
    watched(kForever, [&](Watch& watch) { matrix_->squares(weight.data(), out.data(), watch); });
  }
  void normal_matrix(Optional weight, Optional shift, Square out, double max_seconds,
                     bool rough) const {
    check_square(out, matrix_->cols());
    const double* d = side(weight, matrix_->rows(), "smooth solver: one weight per row");
    const double* center = side(shift, matrix_->cols(), "smooth solver: one shift per column");
    watched(max_seconds, [&](Watch& watch) {
      if (rough)
        matrix_->rough_normal_matrix(d, center, out.data(), out.shape(1), watch);
      else
        matrix_->normal_matrix(d, center, out.data(), out.shape(1), watch);
    });
  }
  void outer_matrix(Optional weight, Optional shift, Square out, double max_seconds) const {
    check_square(out, matrix_->rows());
    const double* e = side(weight, matrix_->cols(), "smooth solver: one weight per column");
    const double* center = side(shift, matrix_->cols(), "smooth solver: one shift per column");
    watched(max_seconds, [&](Watch& watch) {
      matrix_->outer_matrix(e, center, out.data(), out.shape(1), watch);
    });
  }
  std::pair<double, double> ridge_residual(Vector<double> y, Optional weight, Optional dual,
                                           std::pair<Vector<double>, double> model, Output residual,
                                           Output correlation) const {
    const RidgeRows rows = ridge_rows(weight, std::nullopt);
    const auto& [w, b] = model;
    RidgePoint point;
    point.y = y.data();
    point.w = w.data();
    point.b = b;
    point.dual = side(dual, matrix_->rows(), "smooth solver: one dual variable per row");
    require(y.shape(0) == matrix_->rows() && residual.shape(0) == matrix_->rows(),
            "smooth solver: y and the residual need one value per row");
    require(w.shape(0) == matrix_->cols() && correlation.shape(0) == matrix_->cols(),
            "smooth solver: coefficients and correlations need one value per column");
    const RidgeSums sums = watched(kForever, [&](Watch& watch) {
      return smooth::ridge_residual(rows, point, residual.data(), correlation.data(), watch);
    });
    return {sums.loss, sums.excess};
  }
  std::size_t ridge_cg(Optional weight, Optional mean,
                       std::tuple<double, double, double, std::size_t> stop, Output gradient,
                       Output w, double max_seconds) const {
    const RidgeRows rows = ridge_rows(weight, mean);
    require(gradient.shape(0) == matrix_->cols() && w.shape(0) == matrix_->cols(),
            "smooth solver: gradient and coefficients need one value per column");
    return watched(max_seconds, [&](Watch& watch) {
      const auto& [lambda, square, decrease, max_products] = stop;
      return ridge_conjugate_gradients(rows, {lambda, square, decrease, max_products},
                                       gradient.data(), w.data(), watch);
    });
  }
  std::size_t ridge_race(Optional weight, Optional mean,
                         std::tuple<double, double, std::size_t, std::size_t> stop, Output gradient,
                         Output w, Vector<double> rho, Output dual, double max_seconds) const {
    const RidgeRows rows = ridge_rows(weight, mean);
    require(gradient.shape(0) == matrix_->cols() && w.shape(0) == matrix_->cols(),
            "smooth solver: gradient and coefficients need one value per column");
    require(rho.shape(0) == matrix_->rows() && dual.shape(0) == matrix_->rows(),
            "smooth solver: residual and dual point need one value per row");
    return watched(max_seconds, [&](Watch& watch) {
      const auto& [lambda, gap, max_products, patience] = stop;
      return banditcd::smooth::ridge_race(rows, {lambda, gap, max_products, patience},
                                          gradient.data(), w.data(), rho.data(), dual.data(),
                                          watch);
    });
  }

  static constexpr double kForever = std::numeric_limits<double>::infinity();

 private:
  static void check_square(const Square& out, std::size_t size) {
    require(out.shape(0) == size && out.shape(1) >= banditcd::record::padded(size),
            "smooth solver: the matrix needs padded rows, see padded_size");
  }
  RidgeRows ridge_rows(const Optional& weight, const Optional& mean) const {
    RidgeRows rows;
    rows.X = matrix_.get();
    rows.weight = side(weight, matrix_->rows(), "smooth solver: one weight per row");
    rows.mean = side(mean, matrix_->cols(), "smooth solver: one mean per column");
    return rows;
  }

  std::unique_ptr<RowMatrix> matrix_;
  std::shared_ptr<const void> keep_;
};

}  // namespace banditcd::smooth_bind
