// Constants of the strategy of L2-logistic regression. They decide which regime is used and never
// what is certified.
#pragma once
#include <cstddef>

#include "kernels/prices.hpp"

namespace banditcd::l2_logistic {

// Products with the Hessian that one factored Hessian replaces, if the mean of its eigenvalues is
// at most kMildCurvature times lambda, and beyond; and the most memory it may take. The mean is
// taken over about kCurvatureRows rows.
constexpr double kCgMild = 12.0;
constexpr double kCgHarsh = 40.0;
constexpr double kMildCurvature = 10.0;
constexpr double kHessianBytes = 1e9;
constexpr std::size_t kCurvatureRows = 256;

// Steps with the factor of an earlier Hessian: the share of a new one's cost that its products may
// take, and the share of the gradient that they may leave. Not where a new Hessian costs less than
// kLeastCost (ns; small problems get exact steps), or than kLeastWorth products.
constexpr double kOldFactor = 0.7;
constexpr double kLeastShare = 0.02;
constexpr double kLeastCost = 2e5;
constexpr double kLeastWorth = 5.0;
// Steps by conjugate gradients leave at most this share of the gradient.
constexpr double kMostShare = 0.25;

// Dual descent pays while the mean of s_i |x_i|^2 / lambda is at most kDualCurvature.
constexpr double kDualCurvature = 300.0;
// A certificate is tried where the gap that was seen is below kHopeful targets. After kFirstPasses
// passes, descent is given up if more than kPassesLeft are expected: Newton steps are quicker.
constexpr double kHopeful = 3.0;
constexpr std::size_t kFirstPasses = 6;
constexpr double kPassesLeft = 25.0;

// A start from every kSampleStep-th row, if that leaves kSampleRowsPerColumn rows for each column
// (kSampleColumns of them at least) and the mean of s_i |x_i|^2 / lambda is at most
// kSampleCurvature; solved to a gap of kSampleTolerance.
constexpr std::size_t kSampleStep = 4;
constexpr std::size_t kSampleRowsPerColumn = 16;
constexpr std::size_t kSampleColumns = 8;
constexpr double kSampleCurvature = 2500.0;
constexpr double kSampleTolerance = 0.01;

// Newton steps in row space: how many are expected, the passes over X that they replace, and the
// share of the tolerance they are solved to, so that the certificate on X holds too.
constexpr double kRowSpaceSteps = 8.0;
constexpr double kRowSpacePasses = 40.0;
constexpr double kRowSpaceTolerance = 0.7;
// Dual descent is tried first if the Gram matrix of the rows costs more passes than this and the
// mean of s_i |x_i|^2 / lambda is at most kWideCurvature.
constexpr double kDualFirst = 12.0;
constexpr double kWideCurvature = 2e4;

// Newton steps without a smaller objective before the solve is called stalled.
constexpr std::size_t kPatience = 6;

}  // namespace banditcd::l2_logistic
