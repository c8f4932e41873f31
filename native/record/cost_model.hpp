// The constants of the cost model, all in one place. Times are in nanoseconds on one core.
//
// They decide how many columns enter the pool per bin, when Newton is worth its factorization, and
// which regime is used. None of them affects what is certified. docs/solver.md tells the story.
#pragma once
#include <cstddef>

namespace banditcd::record {

// Cache blocking of the products (tiles.cpp): rows of X per block, columns per block.
constexpr std::size_t kGramRows = 384;     // 8 + 3 rows of 3 KB: inside a 48 KB first-level cache
constexpr std::size_t kGramColumns = 120;  // 120 rows of 3 KB: inside a 0.5 MB second-level cache

// Work is shared among threads from this many entries of a pass on, about two milliseconds, in
// pieces of a quarter of that; products count as many as their multiply-adds cost.
constexpr std::size_t kThreadEntries = 2500000;
constexpr std::size_t kThreadPiece = kThreadEntries / 4;

// One entry of a dense pass; one stored entry of a sparse pass.
constexpr double kDenseEntry = 0.8;
constexpr double kSparseEntry = 1.6;
// One multiply-add of the product kernel; one of a row-wise sparse Gram; one of coordinate descent.
constexpr double kProduct = 0.045;
constexpr double kScatter = 2.5;
constexpr double kEpochEntry = 0.12;
// A column that enters or leaves a factorization, per square of its size.
constexpr double kUpdateEntry = 0.25;
// Single precision pays from this much work in double on; a bin that refines it wants the gap so
// many times smaller, and a model is not solved further below the gap it starts from than its
// digits reach.
constexpr double kRoughFrom = 2e6;
constexpr double kRoughProgress = 0.1;
constexpr double kRoughShare = 1e-8;
// Writing and mirroring one Gram entry.
constexpr double kGramEntry = 8.0;

// Sparse columns that fill enough of their rows are unpacked into dense blocks, if there are not
// too many of them; what one place of a block costs.
constexpr std::size_t kPackColumns = 512;
constexpr double kPackEntry = 0.2;
// Sparse columns whose entries have one value become bits; what setting one costs.
constexpr double kBitEntry = 1.5;

// A bin adds so many columns that the Gram update costs this share of its pass; fewer at the start,
// when the ranking knows only y and would take many columns that say the same.
constexpr double kGrowthShare = 0.5;
constexpr double kFirstShare = 0.15;
// A pool in single precision is that of a sample of the rows, which leaves few violators.
constexpr double kGrowthRough = 4.0;
constexpr double kGrowthOfSupport = 0.15;
constexpr std::size_t kGrowthLeast = 10;
// Without a Gram matrix columns are cheap: this share of the support may enter at once.
constexpr double kGrowthWithoutGram = 1.0;
// How far below its start a pool problem is solved before the other columns are looked at again.
constexpr double kInnerShare = 0.3;
// Columns whose correlation bound stays below this share of the threshold are not evaluated.
constexpr double kNearThreshold = 0.98;
// Columns that are likely to violate: a column that is not related to the change E of the residual
// moves by about |x_j| |E| / sqrt(n); so many times that is allowed for. Their violators enter
// without a look at the others, if there are enough of them for the support.
constexpr double kLikely = 3.0;
constexpr double kLikelyMost = 0.8;
constexpr double kLikelyEnough = 0.1;
constexpr std::size_t kLikelyLeast = 2;

// One coordinate update in Gram space, by where the Gram matrix of this size lives.
inline double gram_update(std::size_t size) {
  const double k = static_cast<double>(size), bytes = 8.0 * k * k;
  return k * (bytes < 1e6 ? kEpochEntry : bytes < 3e7 ? 2.0 * kEpochEntry : 6.0 * kEpochEntry);
}
// Gram or residual space, for sparse columns: the Gram matrix must pay for itself within so many
// epochs, each of which moves this share of the pool. Small pools always stay in Gram space.
constexpr double kEpochsExpected = 40.0;
constexpr double kMovingShare = 0.7;
constexpr std::size_t kGramAlways = 256;

// The whole Gram matrix at once (no pool) up to this many columns.
constexpr std::size_t kSmallColumns = 64;
// For a path: the passes one more penalty costs when the pool has to grow.
constexpr double kPassesPerSolve = 0.3;
// Folds that share it want at least so many training rows for each column.
constexpr double kFoldRowsPerColumn = 0.75;
// For one penalty: noise beyond this many thresholds means that most columns will be used, and
// then the whole Gram matrix may cost so many passes.
constexpr double kCrowded = 5.0;
constexpr double kCrowdedPasses = 40.0;
// In single precision less noise is enough, if the matrix takes fewer passes and if there are so
// few rows per column that a sample of them would take a good share of it.
constexpr double kFilled = 2.0;
constexpr double kFilledPasses = 16.0;
constexpr std::size_t kFilledRows = 32;
// Sparse data with few columns takes it at once: growing a sparse pool reads all its entries again.
constexpr double kSparsePasses = 15.0;
// The same if a sample of the rows wants more than this share of all columns.
constexpr double kWholeFromSample = 0.75;
// A start from a sample of the rows: one row in kSampleShare, in so many chunks, if that leaves
// enough rows per column; not for data that a pass finishes at once.
constexpr std::size_t kSampleShare = 8;
constexpr std::size_t kSampleChunks = 16;
constexpr std::size_t kSampleRowsPerColumn = 3;
constexpr std::size_t kSampleEntries = 200000;
constexpr double kSampleInner = 0.3;  // of the target, for the first pool problem
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
// Residuals of a path that are certified together.
constexpr std::size_t kBatch = 16;
constexpr std::size_t kBatchOfFew = 48;  // if there are few columns
// Snapshots of the residual kept for the lazy bounds.
constexpr std::size_t kSnapshots = 12;

}  // namespace banditcd::record
