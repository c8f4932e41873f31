// Passes over X by rows and products of its rows, as ridge and L2-logistic regression need them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "kernels/columns.hpp"
#include "kernels/prices.hpp"
#include "solve/watch.hpp"

namespace banditcd {

// Replaces the products <x_i, w> of the rows first .. first + count by the coefficients those rows
// get in a sum. It is called once per block of rows, in order; values of several classes stand side
// by side.
using BlockMap = std::function<void(std::size_t first, std::size_t count, double* values)>;

class ClassPasses;  // rows/class_passes.hpp

// Every step-th of the rows first .. first + count.
struct RowRange {
  std::size_t first, count, step = 1;
  std::size_t size() const { return (count + step - 1) / step; }
};

class RowMatrix {
 public:
  RowMatrix(std::size_t rows, std::size_t cols, bool single)
      : rows_(rows), cols_(cols), single_(single) {}
  virtual ~RowMatrix() = default;
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  virtual std::size_t entries() const = 0;
  virtual bool sparse() const = 0;
  // What normal_matrix and outer_matrix cost, in nanoseconds.
  virtual double normal_cost() const = 0;
  virtual double outer_cost() const = 0;
  // A fused pass (product and sum), in nanoseconds.
  double pass_cost() const {
    return static_cast<double>(entries()) * (sparse() ? kSparseFused : kDenseFused);
  }

  // out_i = <x_i, w>
  virtual void times(const double* w, double* out, Watch& watch) const = 0;
  // out = sum_i v_i x_i
  virtual void transposed_times(const double* v, double* out, Watch& watch) const = 0;
  // out = sum_i c_i x_i with c = map(X w): X is read once, by blocks of rows that stay in the
  // cache.
  virtual void transform(const double* w, const BlockMap& map, double* out, Watch& watch) const = 0;
  // out_j = sum_i d_i x_ij^2
  virtual void squares(const double* d, double* out, Watch& watch) const = 0;
  // The lower triangle of sum_i d_i (x_i - shift)(x_i - shift)^T: entry (j, k) at j * stride + k.
  // d >= 0; a null shift is zero; stride >= cols rounded up to whole lanes.
  virtual void normal_matrix(const double* d, const double* shift, double* out, std::size_t stride,
                             Watch& watch) const = 0;
  // The same with products in single precision, each entry off by about 1e-7 of the lengths of its
  // columns, where that pays.
  virtual bool rough_pays(bool /*centered*/) const { return false; }
  virtual void rough_normal_matrix(const double* d, const double* shift, double* out,
                                   std::size_t stride, Watch& watch) const {
    normal_matrix(d, shift, out, stride, watch);
  }
  // The lower triangle of sum_j e_j (x_ij - shift_j)(x_kj - shift_j); a null e is ones.
  virtual void outer_matrix(const double* e, const double* shift, double* out, std::size_t stride,
                            Watch& watch) const = 0;

  // The same passes for several classes side by side.
  virtual std::unique_ptr<ClassPasses> class_passes() const = 0;

  // Some of the rows; borrowed, unless they are sparse and not neighbors.
  virtual std::unique_ptr<RowMatrix> part(const RowRange& range) const = 0;

  virtual double row_dot(std::size_t i, const double* w) const = 0;
  virtual void row_axpy(std::size_t i, double t, double* w) const = 0;
  virtual double row_square(std::size_t i) const = 0;
  virtual std::size_t row_entries(std::size_t i) const = 0;

  // Copies in single precision: whether the values are such numbers already; the stored values of
  // a row, rounded; the matrix with the rounded values of all rows, borrowed, one row after
  // another.
  bool single() const { return single_; }
  virtual void round_row(std::size_t i, float* out) const = 0;
  virtual std::unique_ptr<RowMatrix> rounded(const float* values) const = 0;

 private:
  std::size_t rows_, cols_;
  bool single_;
};

// Row i starts at data + i * stride: a C-ordered array, or every k-th row of one.
template <class T>
struct DenseRows {
  const T* data = nullptr;
  std::size_t rows = 0, cols = 0, stride = 0;
  const T* row(std::size_t i) const { return data + i * stride; }
};
// Compressed sparse rows, the indices of a row increasing.
template <class T>
struct CsrRows {
  const T* value = nullptr;
  const std::int32_t* column = nullptr;
  const std::int64_t* start = nullptr;
  std::size_t rows = 0, cols = 0;
};

// The rows of X from the columns of its transpose.
template <class T>
DenseRows<T> rows_of_transpose(const DenseColumns<T>& x) {
  return {x.data, x.cols, x.rows, x.stride};
}
template <class T>
CsrRows<T> rows_of_transpose(const CscColumns<T>& x) {
  return {x.value, x.row, x.start, x.cols, x.rows};
}

// The arrays are borrowed.
std::unique_ptr<RowMatrix> make_rows(const DenseRows<double>& rows);
std::unique_ptr<RowMatrix> make_rows(const DenseRows<float>& rows);
std::unique_ptr<RowMatrix> make_rows(const CsrRows<double>& rows);
std::unique_ptr<RowMatrix> make_rows(const CsrRows<float>& rows);

}  // namespace banditcd
