// The constants of the cost model, all in one place. Times are in nanoseconds on one core.
//
// They decide how many columns enter the pool per bin, when Newton is worth its factorization, and
// which regime is used. None of them affects what is certified.
#pragma once
#include <cstddef>

namespace banditcd::record {

// Cache blocking of the products (tiles.cpp): rows of X per block, columns per block.
constexpr std::size_t kGramRows = 384;     // 8 + 3 rows of 3 KB: inside a 48 KB first-level cache
constexpr std::size_t kGramColumns = 120;  // 120 rows of 3 KB: inside a 0.5 MB second-level cache

// One entry of a dense pass; one stored entry of a sparse pass.
constexpr double kDenseEntry = 0.8;
constexpr double kSparseEntry = 1.6;
// One multiply-add of the product kernel; one of a row-wise sparse Gram; one of coordinate descent.
constexpr double kProduct = 0.035;
constexpr double kScatter = 1.0;
constexpr double kEpochEntry = 0.12;
// Writing and mirroring one Gram entry.
constexpr double kGramEntry = 2.0;

// A bin adds so many columns that the Gram update costs this share of its pass.
constexpr double kGrowthShare = 0.3;
constexpr double kGrowthOfSupport = 0.15;
constexpr std::size_t kGrowthLeast = 10;
// Columns whose correlation bound stays below this share of the threshold are not evaluated.
constexpr double kNearThreshold = 0.98;

// The whole Gram matrix at once (no pool) up to this many columns.
constexpr std::size_t kSmallColumns = 64;
// Snapshots of the residual kept for the lazy bounds.
constexpr std::size_t kSnapshots = 12;

}  // namespace banditcd::record
