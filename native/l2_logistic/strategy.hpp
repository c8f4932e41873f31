// Constants of the strategy of L2-logistic regression. They decide which regime is used and never
// what is certified.
#pragma once
#include <cstddef>

#include "kernels/prices.hpp"

namespace banditcd::l2_logistic {

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

}  // namespace banditcd::l2_logistic
