// The constants of the smooth solvers' cost model, all in one place; nanoseconds on one core. They
// decide which regime is used and never what is certified.
#pragma once
#include <cstddef>

#include "record/cost_model.hpp"

namespace banditcd::smooth {

// One stored entry of a fused pass (product and sum), dense and sparse.
constexpr double kDensePass = 0.8;
constexpr double kSparsePass = 2.5;
// One pair of entries of a row in the row-scatter kernel, while the target fits the second-level
// cache, and beyond it.
constexpr double kScatterNear = 0.8;
constexpr double kScatterFar = 2.5;
constexpr double kNearBytes = 1e6;
// One multiply-add of a Cholesky factorization.
constexpr double kFactor = 0.09;

// Logistic: products with the Hessian that one factored Hessian replaces, if the mean of its
// eigenvalues is at most kMildCurvature times lambda, and beyond; and the most memory it may take.
constexpr double kCgMild = 12.0;
constexpr double kCgHarsh = 40.0;
constexpr double kMildCurvature = 10.0;
constexpr double kHessianBytes = 1e9;

// Dual descent pays while the mean of s_i |x_i|^2 / lambda is at most this; a residual of a logit
// below kNegligible moves nothing.
constexpr double kDualCurvature = 300.0;
constexpr double kNegligible = 1e-12;

// A start from every kSampleStep-th row, if that leaves so many rows per column and the mean of
// s_i |x_i|^2 / lambda is at most kSampleCurvature; solved to a gap of kSampleTolerance.
constexpr std::size_t kSampleStep = 4;
constexpr std::size_t kSampleRowsPerColumn = 16;
constexpr double kSampleCurvature = 2500.0;
constexpr double kSampleTolerance = 0.01;

// Newton steps in the space of the rows: how many are expected, and the passes they replace.
constexpr double kRowspaceSteps = 8.0;
constexpr double kRowspacePasses = 40.0;
// Dual descent is tried first if the matrix of the rows costs more passes than this and the mean of
// s_i |x_i|^2 / lambda is at most kWideCurvature.
constexpr double kDualFirst = 12.0;
constexpr double kWideCurvature = 2e4;

// Packed products of `size` vectors of the given length.
inline double product_cost(std::size_t length, std::size_t size) {
  const double k = static_cast<double>(size), n = static_cast<double>(length);
  return 0.5 * n * k * k * record::kProduct + 1.2 * n * k;
}
inline double scatter_cost(double pairs, std::size_t size) {
  const double bytes = 8.0 * static_cast<double>(size) * static_cast<double>(size);
  return pairs * (bytes < kNearBytes ? kScatterNear : kScatterFar) + 0.5 * bytes;
}
inline double factor_cost(std::size_t size) {
  const double k = static_cast<double>(size);
  return k * k * k / 6.0 * kFactor + 200.0 * k;
}

}  // namespace banditcd::smooth
