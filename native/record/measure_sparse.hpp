// True residuals of several points at once, for sparse columns.
#pragma once
#include <algorithm>
#include <type_traits>

#include "record/design.hpp"
#include "record/memory.hpp"
#include "record/tiles.hpp"

namespace banditcd::record {

// Eight residuals (or four) lie side by side, so that one entry of X serves all of them, if they
// take at most half the memory of the data.
template <class Columns>
class SparseMeasure {
 public:
  SparseMeasure(const Columns& columns, const Rowspace& space, const PointBatch& batch)
      : columns_(columns), space_(space), batch_(batch) {}

  // entries: of all columns, at twelve bytes each.
  void run(std::size_t entries, BatchFacts& out, Watch& watch) {
    const std::size_t fitting = 12 * entries / (2 * sizeof(double) * columns_.rows);
    for (std::size_t first = 0; first < batch_.size;) {
      const std::size_t left = batch_.size - first;
      if (fitting >= kSideBySide && left > 4)
        first = measure<kSideBySide>(first, out, watch);
      else if (fitting >= 4 && left > 1)
        first = measure<4>(first, out, watch);
      else
        first = measure<1>(first, out, watch);
    }
  }

 private:
  static constexpr bool kDoubles = std::is_same_v<typename Columns::Value, double>;

  SparseColumn column(Index j) const {
    const auto start = columns_.start[j];
    return {columns_.value + start, columns_.row + start, columns_.entries(j)};
  }

  // Points first .. of the batch, at most kSize of them; what missing ones get is not used.
  // Returns the first that is left.
  template <std::size_t kSize>
  std::size_t measure(std::size_t first, BatchFacts& out, Watch& watch) {
    const std::size_t size = std::min(kSize, batch_.size - first);
    residual_.reserve(columns_.rows * kSize);
    subtract_columns<kSize>(first, size, watch);
    double sum[kSize] = {}, square[kSize] = {};
    for (std::size_t i = 0; i < columns_.rows; ++i) {
      const double s = space_.weight ? space_.weight[i] : 1.0;
      double* r = residual_.data() + i * kSize;
      for (std::size_t b = 0; b < kSize; ++b) {
        const double weighted = s * r[b];
        sum[b] += weighted;
        square[b] += weighted * r[b];
        r[b] = weighted;
      }
    }
    std::copy_n(sum, size, out.sum.data() + first);
    std::copy_n(square, size, out.square.data() + first);
    const double* residual = residual_.data();
    for (std::size_t t = 0; t < batch_.count; ++t, watch.check()) {
      double u[kSize] = {};
      if constexpr (kSize == kSideBySide && kDoubles)
        tile_kernel().gather(column(batch_.column[t]), residual, u);
      else
        columns_.each(batch_.column[t], [&](std::size_t i, double a) {
          for (std::size_t b = 0; b < kSize; ++b) u[b] += a * residual[i * kSize + b];
        });
      std::copy_n(u, size, out.correlation.data() + t * batch_.size + first);
    }
    return first + size;
  }

  // R = y + shift - X w, by rows.
  template <std::size_t kSize>
  void subtract_columns(std::size_t first, std::size_t size, Watch& watch) {
    double* residual = residual_.data();
    double shift[kSize] = {};
    std::copy_n(batch_.shift + first, size, shift);
    for (std::size_t i = 0; i < columns_.rows; ++i)
      for (std::size_t b = 0; b < kSize; ++b) residual[i * kSize + b] = batch_.y[i] + shift[b];
    for (std::size_t t = 0; t < batch_.count; ++t, watch.check()) {
      double w[kSize] = {};
      std::copy_n(batch_.coef + t * batch_.size + first, size, w);
      if (std::all_of(w, w + kSize, [](double value) { return value == 0.0; })) continue;
      if constexpr (kSize == kSideBySide && kDoubles)
        tile_kernel().spread(column(batch_.column[t]), w, residual);
      else
        columns_.each(batch_.column[t], [&](std::size_t i, double a) {
          for (std::size_t b = 0; b < kSize; ++b) residual[i * kSize + b] -= a * w[b];
        });
    }
  }

  const Columns& columns_;
  const Rowspace& space_;
  const PointBatch& batch_;
  AlignedBuffer residual_;
};

}  // namespace banditcd::record
