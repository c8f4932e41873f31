// The constants of the cost model, all in one place. Times are in nanoseconds on one core.
//
// They decide which method runs and when it hands over to another. None of them affects what is
// certified.
#pragma once
#include <cstddef>

namespace banditcd::svm {

// One stored entry: of an ordered pass, of a shuffled dot and axpy; the same of dense rows.
constexpr double kSparsePass = 1.2, kSparseSweep = 2.6;
constexpr double kDensePass = 0.25, kDenseSweep = 0.6;
// One product of the row scatter; one multiply-add of the packed product kernel.
constexpr double kScatterProduct = 1.0;
constexpr double kPackedProduct = 0.06;
// Cholesky: per cube of the size.
constexpr double kFactor = 0.03;

// Newton in feature space is considered up to this many coordinates.
constexpr std::size_t kNewtonColumns = 2000;
// Squared hinge: Newton costs about so many passes, Hessians and factorizations.
constexpr double kNewtonPasses = 6.0, kNewtonHessians = 1.3, kNewtonFactors = 7.0;
// Coordinate descent, for comparison: passes when C |z|^2 is small and when it is large.
constexpr double kEasyPasses = 12.0, kHardPasses = 200.0;

// Hinge: beyond this C |z|^2 coordinate descent crawls, and earlier when rows outnumber features.
constexpr double kCrawlCost = 50.0, kCrawlCostTall = 0.5, kTall = 1000.0;
// Passes that descent may use before the proximal Newton method takes over from it, and after how
// many it gives up at once because the gap (relative) has hardly fallen.
constexpr double kDescentPasses = 35.0, kEarlyPasses = 6.0, kEarlyGap = 0.1;
// Wide hinge: where the conjugate-gradient finisher may start, relative gap and passes used.
constexpr double kFinisherGap = 1e-4, kFinisherPasses = 30.0;

// A start from a sample of the rows: shares, accuracies, and the rows per feature it needs.
constexpr std::size_t kSampleShares[] = {16, 4};
constexpr double kSampleGaps[] = {1e-2, 3e-3};
constexpr std::size_t kSampleRowsPerColumn = 16;

// Gram mode: at most so many rows, and at most so many passes' worth of products.
constexpr std::size_t kGramRows = 1500;
constexpr double kGramPasses = 30.0;

// Coordinate descent: passes inside a bin, when to leave it, how eagerly rows are dropped.
constexpr std::size_t kInnerPasses = 30;
constexpr double kLeaveShareOfGap = 0.03, kLeaveShareOfFirst = 1.0 / 3.0, kDropShare = 0.3;

// Snapshots of w for the lazy bounds.
constexpr std::size_t kSnapshots = 24, kSnapshotsWide = 6, kWideColumns = 4000;

// Proximal Newton: growth of the proximal weight, inner steps before it shrinks again.
constexpr double kProximalGrowth = 4.0, kProximalShrink = 16.0;
constexpr std::size_t kProximalSteps = 30;

}  // namespace banditcd::svm
