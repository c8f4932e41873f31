// The floor of a step's time: the dot and the axpy of its column, timed alone.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kernels/any_columns.hpp"

namespace banditcd::engine {

// Seconds of one dot and one axpy with every column of `order`, in that order.
double time_columns(const AnyColumns& A, const std::int32_t* order, std::size_t n);

// The same for the dense float64 columns through Fortran BLAS-1 functions ddot and daxpy.
using Ddot = double (*)(const int*, const double*, const int*, const double*, const int*);
using Daxpy = void (*)(const int*, const double*, const double*, const int*, double*, const int*);
double time_blas(const DenseColumns<double>& A, const std::int32_t* order, std::size_t n, Ddot ddot,
                 Daxpy daxpy);

}  // namespace banditcd::engine
