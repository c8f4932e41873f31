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

// Tiles of the entries (i, j) with from <= j < size, at most `widest` columns wide. One thread
// packs the fewest columns with tiles as high as the matrix. Several take squares, about two for
// each, as small as kSmallestTile where the part is: blocks of columns alone are too few for many
// threads. An entry is the same sum in any tile.
inline std::vector<GramTile> gram_tiles(std::size_t from, std::size_t size, std::size_t widest,
                                        std::size_t threads) {
  constexpr std::size_t kSmallestTile = 24;  // a multiple of every kernel's tile
  std::vector<GramTile> out;
  if (threads <= 1) {
    for (std::size_t j = from; j < size; j += widest)
      out.push_back({0, std::min(j + widest, size), j, std::min(j + widest, size)});
    return out;
  }
  const double area = 0.5 * static_cast<double>((size - from) * (size + from));
  const auto fair =
      static_cast<std::size_t>(std::sqrt(area / (2.0 * static_cast<double>(threads))));
  const std::size_t side = std::clamp(fair / kSmallestTile * kSmallestTile, kSmallestTile, widest);
  for (std::size_t j = from; j < size; j += side) {
    const std::size_t end = std::min(j + side, size);
    for (std::size_t i = 0; i < from; i += side)
      out.push_back({i, std::min(i + side, from), j, end});
    for (std::size_t i = from; i <= j; i += side)
      out.push_back({i, std::min(i + side, size), j, end});
  }
  return out;
}

}  // namespace banditcd
