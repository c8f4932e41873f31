// Constants of strategies that several solvers share. None of them affects what is certified.
#pragma once
#include <cstddef>

namespace banditcd {

// A penalty that only unpenalized columns survive, which are then fitted this exactly: what is left
// tells the largest penalty that matters.
constexpr double kAboveAll = 1e200;
constexpr double kFreeTolerance = 1e-12;

// Columns whose correlation bound stays below this share of the threshold are not evaluated.
constexpr double kNearThreshold = 0.98;
// Snapshots of the residual kept for the lazy bounds.
constexpr std::size_t kSnapshots = 12;

// A bin adds columns until the Gram update costs this share of its pass, and at least a few.
constexpr double kGrowthShare = 0.5;
constexpr std::size_t kGrowthLeast = 10;
// Pools of at most this many columns always stay in Gram space.
constexpr std::size_t kGramAlways = 256;
// The whole Gram matrix at once (no pool) up to this many columns.
constexpr std::size_t kSmallColumns = 64;
// Solvers of a pool were tuned with factorizations at this share of their price.
constexpr double kFactorShare = 0.5;
// A model in single precision is not solved further below the gap it starts from than its digits
// reach.
constexpr double kRoughShare = 1e-8;
// A start from a sample of the rows: one row in kSampleShare, if that leaves enough rows per
// column; not for data that a pass finishes at once.
constexpr std::size_t kSampleShare = 8;
constexpr std::size_t kSampleRowsPerColumn = 3;
constexpr std::size_t kSampleEntries = 200000;

}  // namespace banditcd
