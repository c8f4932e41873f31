// The new part of a Gram matrix cut into tiles, the tasks of threads.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace banditcd {

// Entries (i, j) with left_first <= i < left_last, first <= j < last and i <= j.
struct GramTile {
  std::size_t left_first, left_last, first, last;
};

// Sides of tiles are multiples of this one, which is a multiple of every kernel's tile.
constexpr std::size_t kTileSide = 24;

inline std::size_t whole_sides(std::size_t length) {
  return (length + kTileSide - 1) / kTileSide * kTileSide;
}

// Tiles of the entries (i, j) with from <= j < size, at most `widest` columns wide. One thread
// packs the fewest columns with tiles as high as the matrix. Several take squares, as small as
// kTileSide where the part is small, since blocks of columns alone are too few for them; but no
// more tiles than two for each thread and one for each block of columns, because each has a buffer
// of its own. An entry is the same sum in any tile.
inline std::vector<GramTile> gram_tiles(std::size_t from, std::size_t size, std::size_t widest,
                                        std::size_t threads) {
  const std::size_t wanted = threads > 1 ? 2 * threads : 1;
  std::size_t width = widest;
  if (threads > 1) {
    const double area = 0.5 * static_cast<double>((size - from) * (size + from));
    const auto fair = static_cast<std::size_t>(std::sqrt(area / static_cast<double>(wanted)));
    width = std::min(std::max(fair / kTileSide * kTileSide, kTileSide), widest);
  }
  const std::size_t blocks = (size - from + width - 1) / width;
  const std::size_t strips = blocks > 0 ? (wanted + blocks - 1) / blocks : 0;
  std::vector<GramTile> out;
  for (std::size_t j = from; j < size; j += width) {
    const std::size_t end = std::min(j + width, size);
    const std::size_t height = strips > 1 ? whole_sides((end + strips - 1) / strips) : end;
    for (std::size_t i = 0; i < end; i += height)
      out.push_back({i, std::min(i + height, end), j, end});
  }
  return out;
}

}  // namespace banditcd
