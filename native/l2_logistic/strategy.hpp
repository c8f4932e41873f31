// Constants of the strategy of L2-logistic regression. They decide which regime is used and never
// what is certified.
#pragma once
#include <cstddef>

#include "kernels/prices.hpp"

namespace banditcd::l2_logistic {

// What the regimes are expected to need: passes of Newton steps beside their factors; passes of
// conjugate gradients to a gap of 1e-4, if the mean eigenvalue of the Hessian, over about
// kCurvatureRows rows (of long rows fewer, kCurvatureLeast at least), is at most kMildCurvature
// times lambda, and at most beyond, where they grow with its root; the most memory of a factor.
constexpr double kNewtonPasses = 8.0;
constexpr double kCgMild = 12.0;
constexpr double kCgHarsh = 60.0;
constexpr double kMildCurvature = 10.0;
constexpr double kHessianBytes = 1e9;
constexpr std::size_t kCurvatureRows = 256, kCurvatureLeast = 16, kCurvatureEntries = 1 << 17;
// The same of dual descent, where the columns are at least the rows divided by kDualShape (times
// rows over columns; at least that many, or kDualMild for sparse rows) or the mean eigenvalue is as
// mild, and where both are so; the nanoseconds of one visit beside its entries, and the share of
// them in single precision, sparse and dense.
constexpr double kDualPasses = 8.0, kDualMild = 5.0;
constexpr std::size_t kDualShape = 2;
constexpr double kDualVisit = 80.0;
constexpr double kRoundedShare = 0.65, kRoundedDense = 0.9;
// And in row space: Hessians that are built and factored there, and passes.
constexpr double kRowSpaceFactors = 1.5;
constexpr double kRowSpacePasses = 4.0;

// Steps with the factor of an earlier Hessian: the share of a new one's cost that its products may
// take, and the share of the gradient that they may leave. Not where a new Hessian costs less than
// kLeastCost (ns; small problems get exact steps), or than kLeastWorth products.
constexpr double kOldFactor = 0.7;
constexpr double kLeastShare = 0.02;
constexpr double kLeastCost = 2e5;
constexpr double kLeastWorth = 5.0;
// Steps by conjugate gradients leave at most this share of the gradient. If that is at most
// kProofReach times what a certificate may leave, they go on to the latter.
constexpr double kMostShare = 0.25;
constexpr double kProofReach = 3.0;

// A certificate is tried where the gap that was seen is below kHopeful targets.
constexpr double kHopeful = 3.0;
// Descent reads a copy in single precision from kCopyEntries entries on, if the target is at least
// kCopyTarget of the null model's objective and the squares of the rows lie between kCopyLeast and
// kCopyMost. It has stalled after kIdlePasses passes without a smaller gap.
constexpr double kCopyEntries = 2e5, kCopyTarget = 1e-9, kCopyLeast = 1e-40, kCopyMost = 1e40;
constexpr std::size_t kIdlePasses = 200;
// Of the iterations allowed, those that descent may use if others can go on.
constexpr double kDualShare = 0.5;

// A start from every kSampleStep-th row, if that leaves kSampleRowsPerColumn rows for each column
// (kSampleColumns of them at least) and the mean of s_i |x_i|^2 / lambda is at most
// kSampleCurvature; solved to a gap of kSampleTolerance.
constexpr std::size_t kSampleStep = 4;
constexpr std::size_t kSampleRowsPerColumn = 16;
constexpr std::size_t kSampleColumns = 8;
constexpr double kSampleCurvature = 2500.0;
constexpr double kSampleTolerance = 0.01;

// The share of the tolerance that steps in row space are solved to, so that the certificate on X
// holds too.
constexpr double kRowSpaceTolerance = 0.7;

// Newton steps without a smaller objective before the solve is called stalled.
constexpr std::size_t kPatience = 6;

}  // namespace banditcd::l2_logistic
