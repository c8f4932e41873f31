// True residuals of several points at once, for dense columns.
#pragma once
#include <algorithm>
#include <vector>

#include "columns/design.hpp"
#include "kernels/tiles.hpp"
#include "kernels/vector.hpp"

namespace banditcd {

// By chunks of rows that stay in the cache: the columns come from memory once, for all points.
template <class T>
class DenseMeasure {
 public:
  DenseMeasure(const DenseColumns<T>& columns, const Rowspace& space, const PointBatch& batch)
      : columns_(columns),
        space_(space),
        batch_(batch),
        chunk_(batch.count <= kManyColumns ? kChunkOfFew : kChunkOfMany),
        start_(chunk_),
        correlation_(batch.count * batch.size) {
    packed_.reserve(std::max<std::size_t>(1, batch.count) * chunk_);
    residual_.reserve(padded_points() * chunk_);
    choose_columns();
  }

  void run(BatchFacts& out, Watch& watch) {
    for (std::size_t row = 0; row < columns_.rows; row += chunk_) {
      const std::size_t size = std::min(chunk_, columns_.rows - row);
      pack(row, size);
      for (std::size_t g = 0; g < groups_.size(); ++g) combine(g, padded(size));
      for (std::size_t b = 0; b < batch_.size; ++b)
        add_moments(row, size, residual_.data() + b * chunk_, out.sum[b], out.square[b]);
      add_products({packed_.data(), chunk_, batch_.count}, {residual_.data(), chunk_, batch_.size},
                   padded(size), 1.0, correlation_.data(), batch_.count);
      watch.check();
    }
    for (std::size_t t = 0; t < batch_.count; ++t)
      for (std::size_t b = 0; b < batch_.size; ++b)
        out.correlation[t * batch_.size + b] += correlation_[b * batch_.count + t];
  }

 private:
  static constexpr std::size_t kChunkOfFew = 256, kChunkOfMany = 128, kManyColumns = 128;
  // kPoints points and the columns that any of them uses.
  struct Group {
    std::vector<const double*> x;
    std::vector<double> w;
    double shift[kPoints] = {};
  };

  std::size_t padded_points() const { return (batch_.size + kPoints - 1) / kPoints * kPoints; }

  void choose_columns() {
    groups_.resize(padded_points() / kPoints);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      const std::size_t first = g * kPoints, count = std::min(kPoints, batch_.size - first);
      std::copy_n(batch_.shift + first, count, group.shift);
      for (std::size_t t = 0; t < batch_.count; ++t) {
        const double* w = batch_.coef + t * batch_.size + first;
        if (std::all_of(w, w + count, [](double value) { return value == 0.0; })) continue;
        group.x.push_back(packed_.data() + t * chunk_);
        for (std::size_t b = 0; b < kPoints; ++b) group.w.push_back(b < count ? w[b] : 0.0);
      }
    }
  }

  // Whole lanes, the last of them filled up with zeros: they add nothing to a correlation.
  void pack(std::size_t row, std::size_t size) {
    for (std::size_t t = 0; t < batch_.count; ++t) {
      double* to = packed_.data() + t * chunk_;
      std::copy_n(columns_.column(batch_.column[t]) + row, size, to);
      std::fill(to + size, to + padded(size), 0.0);
    }
    std::copy_n(batch_.y + row, size, start_.data());
    std::fill(start_.data() + size, start_.data() + padded(size), 0.0);
  }

  void combine(std::size_t g, std::size_t rows) {
    const Group& group = groups_[g];
    Points points{group.x.data(), group.x.size(), group.w.data(), start_.data(), {}};
    std::copy_n(group.shift, kPoints, points.shift);
    tile_kernel().residuals(points, rows, residual_.data() + g * kPoints * chunk_, chunk_);
  }

  // Adds a chunk's moments and leaves s * R in its place.
  void add_moments(std::size_t row, std::size_t size, double* r, double& sum,
                   double& square) const {
    if (space_.weight == nullptr) {
      square += dot(r, r, size);
    } else {
      for (std::size_t k = 0; k < size; ++k) {
        const double weighted = space_.weight[row + k] * r[k];
        square += weighted * r[k];
        r[k] = weighted;
      }
    }
    if (!space_.centered) return;
    double part[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= size; k += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) part[lane] += r[k + lane];
    for (; k < size; ++k) part[0] += r[k];
    sum += (part[0] + part[1]) + (part[2] + part[3]);
  }

  const DenseColumns<T>& columns_;
  const Rowspace& space_;
  const PointBatch& batch_;
  std::size_t chunk_;
  std::vector<double> start_;
  std::vector<double> correlation_;  // by point, then by column
  AlignedBuffer packed_, residual_;
  std::vector<Group> groups_;
};

}  // namespace banditcd
