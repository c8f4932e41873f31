// The data matrix as solvers take it: checked once, borrowed from NumPy and kept alive.
#pragma once
#include <memory>
#include <utility>

#include "bind/arrays.hpp"
#include "columns/class_columns.hpp"
#include "columns/design.hpp"
#include "kernels/any_columns.hpp"
#include "rows/row_matrix.hpp"

namespace banditcd::bind {

// X by columns: Fortran order or CSC.
class Columns {
 public:
  Columns(AnyColumns stored, std::shared_ptr<const void> owner)
      : stored_(std::move(stored)), owner_(std::move(owner)) {}
  std::size_t rows() const {
    return std::visit([](const auto& x) { return x.rows; }, stored_);
  }
  std::size_t cols() const {
    return std::visit([](const auto& x) { return x.cols; }, stored_);
  }
  std::size_t entries() const {
    return std::visit([](const auto& x) { return x.entries(); }, stored_);
  }
  bool sparse() const { return stored_.index() >= 2; }
  const AnyColumns& stored() const { return stored_; }
  // A new design on the borrowed arrays.
  std::unique_ptr<Design> design() const {
    auto out = std::visit([](const auto& x) { return make_design(x); }, stored_);
    out->set_threads(threads_);
    return out;
  }
  // How many threads the passes and products of designs made from now on may use.
  void set_threads(std::size_t threads);
  // The same for several classes side by side.
  std::unique_ptr<ClassColumns> class_columns() const {
    return std::visit([](const auto& x) { return make_class_columns(x); }, stored_);
  }

 private:
  AnyColumns stored_;
  std::shared_ptr<const void> owner_;
  std::size_t threads_ = 1;
};

// X by rows: C order or CSR, the column indices of a row ascending.
class Rows {
 public:
  Rows(AnyColumns transposed, std::shared_ptr<const void> owner)
      : transposed_(std::move(transposed)), owner_(std::move(owner)) {}
  std::size_t rows() const {
    return std::visit([](const auto& x) { return x.cols; }, transposed_);
  }
  std::size_t cols() const {
    return std::visit([](const auto& x) { return x.rows; }, transposed_);
  }
  // The rows as columns of the transpose.
  const AnyColumns& transposed() const { return transposed_; }
  // The matrix of passes and products, made on first use.
  const RowMatrix& matrix() const;
  // How many threads its passes and products may use.
  void set_threads(std::size_t threads);
  std::size_t threads() const { return threads_; }

 private:
  AnyColumns transposed_;
  std::shared_ptr<const void> owner_;
  std::size_t threads_ = 1;
  mutable std::unique_ptr<RowMatrix> matrix_;
};

using ColumnsPointer = std::shared_ptr<Columns>;
using RowsPointer = std::shared_ptr<Rows>;

}  // namespace banditcd::bind
