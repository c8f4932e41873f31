// The arrays of a problem as Python hands them over: checked, and kept alive.
#pragma once
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include <vector>

#include "bind/matrices.hpp"
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

  void set_columns(bind::ColumnsPointer columns) {
    arrays.A = columns->stored();
    arrays.rows = columns->rows();
    arrays.cols = columns->cols();
    owners.push_back(nb::cast(columns));
  }
};

}  // namespace banditcd::engine
