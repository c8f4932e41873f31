// The arrays of a problem as Python hands them over: checked, and kept alive.
#pragma once
#include <nanobind/ndarray.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bind/arrays.hpp"
#include "engine/factory.hpp"

namespace banditcd::engine {

namespace nb = nanobind;

// The arrays of a problem and the Python objects that own them.
struct BoundProblem {
  ProblemArrays arrays;
  std::vector<nb::object> owners;

  const double* hold(const Doubles& array, std::size_t length, const char* message) {
    require(array.shape(0) == length, message);
    owners.push_back(nb::cast(array));
    return array.data();
  }

  void set_dense(const nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>& columns) {
    AnyMatrix& A = arrays.A;
    A.cols = columns.shape(0);
    A.rows = columns.shape(1);
    A.single = columns.dtype() == nb::dtype<float>();
    require(A.single || columns.dtype() == nb::dtype<double>(),
            "a dense matrix must be float64 or float32");
    if (A.single)
      A.dense32 = {static_cast<const float*>(columns.data()), A.rows, A.cols, A.rows};
    else
      A.dense64 = {static_cast<const double*>(columns.data()), A.rows, A.cols, A.rows};
    owners.push_back(nb::cast(columns));
  }

  void set_csc(const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>& values,
               const Ints& rows, const Longs& starts, std::size_t n_rows) {
    AnyMatrix& A = arrays.A;
    A.sparse = true;
    A.rows = n_rows;
    require(starts.shape(0) >= 1, "starts must have one more entry than there are columns");
    A.cols = starts.shape(0) - 1;
    check_csc(rows, starts, values.shape(0), n_rows);
    A.single = values.dtype() == nb::dtype<float>();
    require(A.single || values.dtype() == nb::dtype<double>(),
            "a sparse matrix must be float64 or float32");
    if (A.single)
      A.csc32 = {static_cast<const float*>(values.data()), rows.data(), starts.data(), n_rows,
                 A.cols};
    else
      A.csc64 = {static_cast<const double*>(values.data()), rows.data(), starts.data(), n_rows,
                 A.cols};
    for (nb::object owner : {nb::cast(values), nb::cast(rows), nb::cast(starts)})
      owners.push_back(owner);
  }

  static void check_csc(const Ints& rows, const Longs& starts, std::size_t stored,
                        std::size_t n_rows) {
    const std::int64_t* start = starts.data();
    const std::size_t cols = starts.shape(0) - 1;
    require(start[0] == 0 && start[cols] >= 0 &&
                static_cast<std::size_t>(start[cols]) <= std::min(stored, rows.shape(0)),
            "starts must begin at 0 and end within the stored entries");
    for (std::size_t j = 0; j < cols; ++j)
      require(start[j] <= start[j + 1], "starts must not decrease");
    for (std::int64_t k = 0; k < start[cols]; ++k)
      require(rows.data()[k] >= 0 && static_cast<std::size_t>(rows.data()[k]) < n_rows,
              "a row index is out of range");
  }
};

}  // namespace banditcd::engine
