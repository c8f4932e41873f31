// The arrays of a problem of the record solver, checked before any native code sees memory.
#pragma once
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "record/solver.hpp"

namespace banditcd::bind {

namespace nb = nanobind;

using Optional = OptionalVector;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::f_contig, nb::device::cpu>;

struct Shape {
  std::size_t rows, cols;
};

// The optional arrays beside X and y; null where there are none.
inline record::Data check_sides(const Optional& sample_weight, const Optional& penalty_weight,
                                const Optional& lower, const Optional& upper, bool intercept,
                                const Shape& shape) {
  const auto side = [](const Optional& v, std::size_t size, const char* message) {
    require(!v || v->shape(0) == size, message);
    return v ? v->data() : nullptr;
  };
  record::Data out;
  out.sample_weight =
      side(sample_weight, shape.rows, "record solver: sample_weight needs one value per row of X");
  out.penalty_weight = side(penalty_weight, shape.cols,
                            "record solver: penalty_weights needs one value per column of X");
  out.lower = side(lower, shape.cols, "record solver: lower needs one value per column of X");
  out.upper = side(upper, shape.cols, "record solver: upper needs one value per column of X");
  out.intercept = intercept;
  return out;
}

// The arrays beside X, all borrowed from NumPy and kept alive as long as the solver.
struct Sides {
  Vector<double> y;
  Optional sample_weight, penalty_weight, lower, upper;
  bool intercept;

  record::Data check(std::size_t rows, std::size_t cols) const {
    require(y.shape(0) == rows, "record solver: y needs one value per row of X");
    record::Data out =
        check_sides(sample_weight, penalty_weight, lower, upper, intercept, {rows, cols});
    out.y = y.data();
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

}  // namespace banditcd::bind
