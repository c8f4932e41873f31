// Constants of the strategy of the Lasso and elastic-net solver: how many columns enter the pool
// per bin, and which regime is used. None of them affects what is certified. docs/solver.md tells
// the story.
#pragma once
#include <cstddef>

#include "kernels/prices.hpp"
#include "solve/strategy.hpp"

namespace banditcd::elastic_net {

// A bin that refines a Gram matrix in single precision wants the gap smaller by this factor.
constexpr double kRoughProgress = 0.1;
// Paths use one down to this accuracy, relative to the null model's objective; below it every draft
// is corrected from the data, which pays with this many columns for each penalty and as many rows
// for each column.
constexpr double kRoughPath = 5e-7;
constexpr std::size_t kCorrectedColumns = 4;
constexpr std::size_t kCorrectedRows = 16;
// A bin adds columns until the Gram update costs this share of its pass; fewer at the start, when
// the ranking knows only y and would take many columns that say the same.
constexpr double kFirstShare = 0.15;
// A pool in single precision is that of a sample of the rows, which leaves few violators.
constexpr double kGrowthRough = 4.0;
constexpr double kGrowthOfSupport = 0.15;
// Without a Gram matrix columns are cheap: this share of the support may enter at once.
constexpr double kGrowthWithoutGram = 1.0;
// How far below its start a pool problem is solved before the other columns are looked at again.
constexpr double kInnerShare = 0.3;
// Columns that are likely to violate: a column that is not related to the change E of the residual
// moves by about |x_j| |E| / sqrt(n); a multiple of that is allowed for. Their violators enter
// without a look at the others, if there are enough of them for the support.
constexpr double kLikely = 3.0;
constexpr double kLikelyMost = 0.8;
constexpr double kLikelyEnough = 0.1;
constexpr std::size_t kLikelyLeast = 2;

// Gram or residual space, for sparse columns: the Gram matrix must pay for itself within a number
// of epochs, each of which moves this share of the pool. Small pools always stay in Gram space.
constexpr double kEpochsExpected = 40.0;
constexpr double kMovingShare = 0.7;

// For a path: the passes one more penalty costs when the pool has to grow.
constexpr double kPassesPerSolve = 0.3;
// Folds that share it want at least this many training rows for each column.
constexpr double kFoldRowsPerColumn = 0.75;
// For one penalty: noise beyond this many thresholds means that most columns will be used, and
// then the whole Gram matrix may cost this many passes.
constexpr double kCrowded = 5.0;
constexpr double kCrowdedPasses = 40.0;
// In single precision less noise is enough, if the matrix takes fewer passes and if
// the rows per column are so few that a sample of them would take a good share of it.
constexpr double kFilled = 2.0;
constexpr double kFilledPasses = 16.0;
constexpr std::size_t kFilledRows = 32;
// Sparse data with few columns takes it at once: growing a sparse pool reads all its entries again.
constexpr double kSparsePasses = 15.0;
// Too many columns for that: if noise alone lets this share of them pass their thresholds, all
// columns enter without a Gram matrix, and epochs go on to this share of the target. A later
// penalty that only kCrowdLeft of this share pass sends away those that are not in use.
constexpr double kCrowd = 1.0;
constexpr double kCrowdShare = 0.6;
constexpr double kCrowdLeft = 0.5;
constexpr double kCrowdInner = 0.9;
// The same if a sample of the rows wants more than this share of all columns.
constexpr double kWholeFromSample = 0.75;
constexpr double kSampleInner = 0.3;  // of the target, for the first pool problem after a sample
// Continuation, for saturated problems: from the largest penalty that matters divided by
// kContinueFirst down in steps of kContinueStep, at most kContinueRepeat bins each, whose pool is
// solved to kContinueTol of the null objective, if the penalty wanted is more than kContinueFrom
// times smaller. Violators at zero per row; sparse columns cover few rows each, so that it takes
// more of them.
constexpr std::size_t kSaturated = 3;
constexpr std::size_t kSaturatedSparse = 10;
constexpr double kContinueFrom = 50.0;
constexpr double kContinueFirst = 5.0;
constexpr double kContinueStep = 2.0;
constexpr double kContinueTol = 1e-2;
constexpr std::size_t kContinueRepeat = 2;
constexpr std::size_t kContinueBins = 100;  // not if fewer bins are allowed
// Inner solves in Gram space before the data is looked at.
constexpr std::size_t kGramTries = 4;
// Residuals of a path that are certified together.
constexpr std::size_t kBatch = 16;
constexpr std::size_t kBatchOfFew = 48;  // if there are few columns

}  // namespace banditcd::elastic_net
