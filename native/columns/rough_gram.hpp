// The Gram matrix of many dense rows in single precision: half the time, seven digits.
//
// Columns are centered and scaled to unit length in double before they are rounded, so that neither
// offsets nor scales cost digits: each entry <x_i, x_j> is off by a few 1e-8 of |x_i| |x_j|. Sums
// of at most kRoughRows products are in single precision, everything beyond in double.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "columns/design.hpp"
#include "columns/gram_tiles.hpp"
#include "kernels/prices.hpp"
#include "kernels/threads.hpp"
#include "kernels/tiles.hpp"

namespace banditcd {

class RoughGram {
 public:
  // Rows without weights, columns that are not constant.
  RoughGram(const DenseColumns<double>& columns, const ColumnFacts& facts,
            const GramRequest& request)
      : columns_(columns), facts_(facts), request_(request) {
    for (std::size_t t = 0; t < request.size; ++t)
      norm_.push_back(std::sqrt(facts.square[request.column[t]]));
  }

  // Returns the entries of X that were read.
  std::size_t fill(std::size_t threads, Watch& watch) {
    const std::size_t first = request_.old_size, last = request_.size;
    for (std::size_t j = first; j < last; ++j)
      std::fill_n(request_.gram + j * request_.stride, last, 0.0);
    // One thread packs less often with wider tiles.
    const std::size_t most = threads > 1 ? kGramColumns : kWidest;
    const std::size_t parts = (last - first + most - 1) / most;
    const std::size_t width = whole_sides((last - first + parts - 1) / parts);
    const std::vector<GramTile> tiles = gram_tiles(first, last, width, threads);
    packed_.resize(threads > 1 ? tiles.size() : 1);
    // Each entry is a sum over blocks of rows in their order, whoever adds them.
    for (std::size_t row = 0; row < columns_.rows; row += kRoughRows) {
      run_tasks(threads, tiles.size(), [&](std::size_t k) {
        add_block({row, std::min(kRoughRows, columns_.rows - row), tiles[k]},
                  packed_[threads > 1 ? k : 0]);
      });
      watch.check();
    }
    std::size_t read = 0;
    for (std::size_t j = first; j < last; j += width)
      read += columns_.rows * std::min(j + width, last);
    scale_back();
    mirror(request_, watch);
    return read;
  }

 private:
  static constexpr std::size_t kRoughRows = 2 * kGramRows;
  static constexpr std::size_t kWidest = 312;  // columns of 3 KB: within 1 MB of second-level cache
  using Singles = std::vector<float, AlignedAllocator<float>>;
  struct Block {
    std::size_t row, rows;
    GramTile tile;
  };
  struct Packed {
    Singles recent, old;
  };

  // Adds what one block of rows has to the entries of a tile.
  void add_block(const Block& block, Packed& packed) const {
    const std::size_t lane = (block.rows + kRoughLane - 1) / kRoughLane * kRoughLane;
    const std::size_t group = tile_kernel().a_rows;
    const GramTile& tile = block.tile;
    packed.recent.resize((tile.last - tile.first) * lane);
    packed.old.resize(group * lane);
    for (std::size_t j = tile.first; j < tile.last; ++j)
      pack(j, block, lane, packed.recent.data() + (j - tile.first) * lane);
    const RoughPackedRows wanted{packed.recent.data(), lane, tile.last - tile.first};
    double* corner = request_.gram + tile.first * request_.stride;
    for (std::size_t i = tile.left_first; i < tile.left_last;) {
      const bool inside = i >= tile.first;
      const std::size_t end = inside ? tile.left_last : std::min(tile.left_last, tile.first);
      const std::size_t count = std::min(group, end - i);
      const float* left = inside ? wanted.data + (i - tile.first) * lane : packed.old.data();
      for (std::size_t t = 0; t < count && !inside; ++t)
        pack(i + t, block, lane, packed.old.data() + t * lane);
      add_products({left, lane, count}, wanted, lane, 1.0, corner + i, request_.stride,
                   inside ? Part::kDiagonal : Part::kAll, inside ? i - tile.first : 0);
      i += count;
    }
  }

  void pack(std::size_t t, const Block& block, std::size_t lane, float* out) const {
    const Index j = request_.column[t];
    tile_kernel().narrow(columns_.column(j) + block.row, block.rows, facts_.mean[j], 1.0 / norm_[t],
                         out);
    std::fill(out + block.rows, out + lane, 0.0F);
  }

  void scale_back() const {
    for (std::size_t j = request_.old_size; j < request_.size; ++j)
      for (std::size_t i = 0; i <= j; ++i)
        request_.gram[j * request_.stride + i] *= norm_[i] * norm_[j];
  }

  const DenseColumns<double>& columns_;
  const ColumnFacts& facts_;
  const GramRequest& request_;
  std::vector<double> norm_;
  std::vector<Packed> packed_;
};

}  // namespace banditcd
