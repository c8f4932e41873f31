// Sums of outer products of rows from single precision: for directions, which need no more.
//
// Blocks of rows are spread out by columns, zeros included, and multiplied in tiles
// (kernels/tiles.hpp); sums of a block are in single precision, everything beyond in double. Each
// entry is off by a few 1e-8 of the product of its columns' lengths.
#pragma once
#include <algorithm>
#include <cmath>

#include "kernels/memory.hpp"
#include "kernels/tiles.hpp"
#include "svm/stored_rows.hpp"

namespace banditcd::svm {

class RoughOuter {
 public:
  // Adds sign * sum_t weight[t] z z^T over the rows of a storage, z with the constant behind it.
  template <class Storage>
  void add(const Storage& x, double constant, const Outer& rows, const Triangle& target,
           Watch& watch) {
    const std::size_t dim = x.rows + (constant != 0.0 ? 1 : 0);
    packed_.resize(dim * kStride);
    for (std::size_t first = 0; first < rows.count; first += kRows) {
      const std::size_t size = std::min(kRows, rows.count - first);
      std::fill(packed_.begin(), packed_.end(), 0.0F);
      for (std::size_t r = 0; r < size; ++r) {
        const double root = std::sqrt(rows.weight[first + r]);
        float* out = packed_.data() + r;
        x.each(static_cast<std::size_t>(rows.which[first + r]), [&](std::size_t j, double value) {
          out[j * kStride] = static_cast<float>(root * value);
        });
        if (constant != 0.0) out[x.rows * kStride] = static_cast<float>(root * constant);
      }
      const RoughPackedRows block{packed_.data(), kStride, dim};
      const std::size_t lane = kRoughLane;
      add_products(block, block, (size + lane - 1) / lane * lane, rows.sign, target.h,
                   target.stride, Part::kDiagonal);
      watch.check();
    }
  }

 private:
  static constexpr std::size_t kRows = 768;
  // Not a multiple of many cache lines: the entries of a row would all meet in the same sets.
  static constexpr std::size_t kStride = kRows + kRoughLane;
  std::vector<float, AlignedAllocator<float>> packed_;
};

}  // namespace banditcd::svm
