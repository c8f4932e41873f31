// The price list: what one operation of a kernel costs, in nanoseconds on one core. Each kernel has
// one price; `python -m benchmarks.prices` measures them.
//
// Solvers multiply prices by counted operations to choose a strategy; nothing here affects what is
// certified. Constants of a strategy stand beside it, in the strategy.hpp of its room.
#pragma once
#include <cstddef>

namespace banditcd {

// Cache blocking of the products (tiles.cpp): rows of X per block, columns per block.
constexpr std::size_t kGramRows = 384;     // 8 + 3 rows of 3 KB: inside a 48 KB first-level cache
constexpr std::size_t kGramColumns = 120;  // 120 rows of 3 KB: inside a 0.5 MB second-level cache

// Work is shared among threads from this many entries of a pass on, about two milliseconds, in
// pieces of a quarter of that; products count as many as their multiply-adds cost.
constexpr std::size_t kThreadEntries = 2500000;
constexpr std::size_t kThreadPiece = kThreadEntries / 4;

// Passes from memory, for each stored entry: by columns (a survey or a refresh); by rows (one
// product with each); fused by rows (a product, the loss, and a sum of rows). Measured with
// AVX-512 on a shared machine, dense passes vary most: 0.34 to 0.99 by columns, 0.33 to 0.38 by
// rows and 0.43 to 0.52 fused, the last without a loss.
constexpr double kDenseEntry = 0.8, kSparseEntry = 1.6;
constexpr double kDenseRow = 0.25, kSparseRow = 0.8;
constexpr double kDenseFused = 0.5, kSparseFused = 2.5;
// The same for several classes side by side, for each of their places (kernels/class_tiles.hpp):
// one product, of which a fused pass has two. Measured with AVX-512: 0.025 to 0.06 dense, 0.1 to
// 0.6 sparse. And what each row adds for each place: of a fused pass, and of a point with its
// softmax.
constexpr double kDenseClass = 0.04, kSparseClass = 0.3;
constexpr double kClassCurve = 2.0, kClassPoint = 8.0;

// One multiply-add: of the product kernel, in double and in single precision; of a Cholesky
// factorization; of a coordinate update in Gram space.
constexpr double kProduct = 0.045, kRoughProduct = 0.025;
constexpr double kCholesky = 0.09, kRoughCholesky = 0.03;  // the second is LAPACK's
constexpr double kEpochEntry = 0.12;
// One pair of stored entries in the scatter kernel; while its target fits the second-level cache.
constexpr double kScatter = 2.5;
constexpr double kScatterNear = 0.8;
constexpr double kNearBytes = 1e6;
// One entry of a sparse matrix that is transposed for it, and one of its columns.
constexpr double kTransposedEntry = 10.0, kTransposedColumn = 20.0;
// A column that enters or leaves a factorization, per square of its size.
constexpr double kUpdateEntry = 0.25;
// Single precision pays from this much work in double on.
constexpr double kRoughFrom = 2e6;
// Writing and mirroring one Gram entry.
constexpr double kGramEntry = 8.0;

// Sparse columns that fill enough of their rows are unpacked into dense blocks, if there are not
// too many of them; what one place of a block costs.
constexpr std::size_t kPackColumns = 512;
constexpr double kPackEntry = 0.2;
// Sparse columns whose entries have one value become bits; what setting one costs.
constexpr double kBitEntry = 1.5;

// What comes beside the multiply-adds: packing one entry for the product kernel, one row of a
// factorization, one byte of a scatter's target.
constexpr double kPackedEntry = 1.2;
constexpr double kFactorRow = 200.0;
constexpr double kTargetByte = 0.5;
// Coordinate updates cost twice as much beyond the second-level cache, and six times as much from
// memory, which begins at this size of the Gram matrix.
constexpr double kFarBytes = 3e7;

// One entry of a pass by columns.
inline double column_entry(bool sparse) { return sparse ? kSparseEntry : kDenseEntry; }
// One coordinate update in Gram space, by where the Gram matrix of this size lives.
inline double gram_update(std::size_t size) {
  const double k = static_cast<double>(size), bytes = 8.0 * k * k;
  return k * (bytes < kNearBytes  ? kEpochEntry
              : bytes < kFarBytes ? 2.0 * kEpochEntry
                                  : 6.0 * kEpochEntry);
}
// Packed products of `size` vectors of the given length.
inline double product_cost(std::size_t length, std::size_t size) {
  const double k = static_cast<double>(size), n = static_cast<double>(length);
  return 0.5 * n * k * k * kProduct + kPackedEntry * n * k;
}
inline double scatter_cost(double pairs, std::size_t size) {
  const double bytes = 8.0 * static_cast<double>(size) * static_cast<double>(size);
  return pairs * (bytes < kNearBytes ? kScatterNear : kScatter) + kTargetByte * bytes;
}
// The same in single precision.
inline double rough_product_cost(std::size_t length, std::size_t size) {
  const double k = static_cast<double>(size), n = static_cast<double>(length);
  return 0.5 * n * k * k * kRoughProduct + kPackedEntry * n * k;
}
// A Cholesky factorization of this size.
inline double factor_cost(std::size_t size) {
  const double k = static_cast<double>(size);
  return k * k * k / 6.0 * kCholesky + kFactorRow * k;
}
inline double rough_factor_cost(std::size_t size) {
  const double k = static_cast<double>(size);
  return k * k * k / 6.0 * kRoughCholesky + kFactorRow * k;
}

}  // namespace banditcd
