// True residuals of several points at once, for sparse columns.
#pragma once
#include <algorithm>
#include <type_traits>
#include <vector>

#include "columns/design.hpp"
#include "kernels/memory.hpp"
#include "kernels/tiles.hpp"

namespace banditcd {

// Eight residuals (or four) lie side by side, so that one entry of X serves all of them, by blocks
// of rows that stay in the second-level cache. In
// one block of all rows the residuals take at most half the memory of the data.
template <class Columns>
class SparseMeasure {
 public:
  SparseMeasure(const Columns& columns, const Rowspace& space, const PointBatch& batch)
      : columns_(columns), space_(space), batch_(batch) {
    std::size_t entries = 0;
    for (std::size_t t = 0; t < batch.count; ++t) entries += columns.entries(batch.column[t]);
    const std::size_t most = (columns.rows + kRows - 1) / kRows;
    blocks_ = std::max<std::size_t>(
        1, std::min(most, entries / (kSegment * std::max<std::size_t>(1, batch.count))));
    block_ = (columns.rows + blocks_ - 1) / blocks_;
    side_by_side_ =
        block_ <= kRows ? kSideBySide : 12 * columns.entries() / (2 * sizeof(double) * block_);
    find_segments();
  }

  void run(BatchFacts& out, Watch& watch) {
    for (std::size_t first = 0; first < batch_.size;) {
      const std::size_t left = batch_.size - first;
      if (side_by_side_ >= kSideBySide && left > 4)
        first = measure<kSideBySide>(first, out, watch);
      else if (side_by_side_ >= 4 && left > 1)
        first = measure<4>(first, out, watch);
      else
        first = measure<1>(first, out, watch);
    }
  }

 private:
  static constexpr bool kDoubles = std::is_same_v<typename Columns::Value, double>;
  static constexpr std::size_t kRows = 8192;   // of eight residuals: half a megabyte
  static constexpr std::size_t kSegment = 64;  // entries that are worth finding their ends
  struct Block {
    std::size_t number, row, end;
  };

  // Where the entries of each block start, column by column; blocks_ + 1 places each.
  void find_segments() {
    segment_.reserve(batch_.count * (blocks_ + 1));
    for (std::size_t t = 0; t < batch_.count; ++t) {
      const std::int64_t begin = columns_.start[batch_.column[t]],
                         end = columns_.start[batch_.column[t] + 1];
      segment_.push_back(begin);
      for (std::size_t b = 1; b < blocks_; ++b)
        segment_.push_back(std::lower_bound(columns_.row + segment_.back(), columns_.row + end,
                                            static_cast<std::int32_t>(b * block_)) -
                           columns_.row);
      segment_.push_back(end);
    }
  }
  SparseColumn segment(std::size_t t, const Block& block) const {
    const std::int64_t* at = segment_.data() + t * (blocks_ + 1) + block.number;
    return {columns_.value + at[0], columns_.row + at[0], static_cast<std::size_t>(at[1] - at[0]),
            static_cast<std::int32_t>(block.row)};
  }
  // f(place in the block, value) for the entries of column t in a block.
  template <class F>
  void each(std::size_t t, const Block& block, F&& f) const {
    const std::int64_t* at = segment_.data() + t * (blocks_ + 1) + block.number;
    for (std::int64_t k = at[0]; k < at[1]; ++k)
      f(static_cast<std::size_t>(columns_.row[k]) - block.row,
        static_cast<double>(columns_.value[k]));
  }

  // Points first .. of the batch, at most kSize of them; what missing ones get is not used.
  // Returns the first that is left.
  template <std::size_t kSize>
  std::size_t measure(std::size_t first, BatchFacts& out, Watch& watch) {
    const std::size_t size = std::min(kSize, batch_.size - first);
    residual_.reserve(block_ * kSize);
    std::vector<double> u(batch_.count * kSize);
    double sum[kSize] = {}, square[kSize] = {};
    for (std::size_t b = 0; b < blocks_; ++b) {
      const Block block{b, std::min(b * block_, columns_.rows),
                        std::min((b + 1) * block_, columns_.rows)};
      subtract_columns<kSize>(first, block, watch);
      for (std::size_t i = block.row; i < block.end; ++i) {
        const double s = space_.weight ? space_.weight[i] : 1.0;
        double* r = residual_.data() + (i - block.row) * kSize;
        for (std::size_t k = 0; k < kSize; ++k) {
          const double weighted = s * r[k];
          sum[k] += weighted;
          square[k] += weighted * r[k];
          r[k] = weighted;
        }
      }
      for (std::size_t t = 0; t < batch_.count; ++t, watch.check())
        add_correlations<kSize>(t, block, u.data() + t * kSize);
    }
    std::copy_n(sum, size, out.sum.data() + first);
    std::copy_n(square, size, out.square.data() + first);
    for (std::size_t t = 0; t < batch_.count; ++t)
      std::copy_n(u.data() + t * kSize, size, out.correlation.data() + t * batch_.size + first);
    return first + size;
  }

  template <std::size_t kSize>
  void add_correlations(std::size_t t, const Block& block, double* u) const {
    if constexpr (kSize == kSideBySide && kDoubles) {
      double part[kSize];
      tile_kernel().gather(segment(t, block), residual_.data(), part);
      for (std::size_t k = 0; k < kSize; ++k) u[k] += part[k];
    } else {
      const double* residual = residual_.data();
      each(t, block, [&](std::size_t i, double a) {
        for (std::size_t k = 0; k < kSize; ++k) u[k] += a * residual[i * kSize + k];
      });
    }
  }

  // R = y + shift - X w, by rows.
  template <std::size_t kSize>
  void subtract_columns(std::size_t first, const Block& block, Watch& watch) {
    const std::size_t size = std::min(kSize, batch_.size - first);
    double* residual = residual_.data();
    double shift[kSize] = {};
    std::copy_n(batch_.shift + first, size, shift);
    for (std::size_t i = block.row; i < block.end; ++i)
      for (std::size_t k = 0; k < kSize; ++k)
        residual[(i - block.row) * kSize + k] = batch_.y[i] + shift[k];
    for (std::size_t t = 0; t < batch_.count; ++t, watch.check()) {
      double w[kSize] = {};
      std::copy_n(batch_.coef + t * batch_.size + first, size, w);
      if (std::all_of(w, w + kSize, [](double value) { return value == 0.0; })) continue;
      if constexpr (kSize == kSideBySide && kDoubles)
        tile_kernel().spread(segment(t, block), w, residual);
      else
        each(t, block, [&](std::size_t i, double a) {
          for (std::size_t k = 0; k < kSize; ++k) residual[i * kSize + k] -= a * w[k];
        });
    }
  }
  const Columns& columns_;
  const Rowspace& space_;
  const PointBatch& batch_;
  std::size_t blocks_ = 1, block_ = 0, side_by_side_ = 0;
  std::vector<std::int64_t> segment_;
  AlignedBuffer residual_;
};

}  // namespace banditcd
