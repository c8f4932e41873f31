// What the record solvers take from Python, and its checks.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

#include "kernels/columns.hpp"
#include "record/solver.hpp"

namespace banditcd {

template <class T>
using Vector =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Matrix =
    nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::f_contig, nanobind::device::cpu>;
using Optional = std::optional<Vector<double>>;
using Output =
    nanobind::ndarray<double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

inline void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// The arrays beside X, all borrowed from NumPy and kept alive as long as the solver.
struct Sides {
  Vector<double> y;
  Optional sample_weight, penalty_weight, lower, upper;
  bool intercept;

  record::Data check(std::size_t rows, std::size_t cols) const {
    require(y.shape(0) == rows, "record solver: y needs one value per row of X");
    const auto side = [](const Optional& v, std::size_t size, const char* message) {
      require(!v || v->shape(0) == size, message);
      return v ? v->data() : nullptr;
    };
    record::Data out;
    out.y = y.data();
    out.sample_weight =
        side(sample_weight, rows, "record solver: sample_weight needs one value per row of X");
    out.penalty_weight = side(penalty_weight, cols,
                              "record solver: penalty_weights needs one value per column of X");
    out.lower = side(lower, cols, "record solver: lower needs one value per column of X");
    out.upper = side(upper, cols, "record solver: upper needs one value per column of X");
    out.intercept = intercept;
    return out;
  }
};

template <class T>
DenseColumns<T> checked_dense(const Matrix<T>& X) {
  DenseColumns<T> columns;
  columns.data = X.data();
  columns.rows = X.shape(0);
  columns.cols = X.shape(1);
  columns.stride = X.shape(0);
  require(columns.rows > 0, "record solver: X has no rows");
  require(columns.cols < static_cast<std::size_t>(std::numeric_limits<record::Index>::max()),
          "record solver: X has more columns than 32-bit indices can name");
  return columns;
}

template <class T>
CscColumns<T> checked_csc(const Vector<T>& value, const Vector<std::int32_t>& row,
                          const Vector<std::int64_t>& start, std::size_t rows) {
  require(rows > 0, "record solver: X has no rows");
  require(start.shape(0) >= 1 && start.data()[0] == 0, "record solver: indptr must start at 0");
  const std::size_t cols = start.shape(0) - 1;
  require(cols < static_cast<std::size_t>(std::numeric_limits<record::Index>::max()),
          "record solver: X has more columns than 32-bit indices can name");
  for (std::size_t j = 0; j < cols; ++j)
    require(start.data()[j] <= start.data()[j + 1], "record solver: indptr must not decrease");
  const auto entries = static_cast<std::size_t>(start.data()[cols]);
  require(value.shape(0) >= entries && row.shape(0) >= entries,
          "record solver: data and indices are shorter than indptr says");
  std::int32_t low = 0, high = 0;
  for (std::size_t k = 0; k < entries; ++k) {
    low = std::min(low, row.data()[k]);
    high = std::max(high, row.data()[k]);
  }
  require(low >= 0 && static_cast<std::size_t>(high) < rows,
          "record solver: a row index is outside X");
  CscColumns<T> out;
  out.value = value.data();
  out.row = row.data();
  out.start = start.data();
  out.rows = rows;
  out.cols = cols;
  return out;
}

}  // namespace banditcd
