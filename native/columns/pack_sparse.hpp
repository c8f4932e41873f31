// The Gram matrix of sparse columns that are not very sparse: blocks of rows are unpacked into
// dense ones, which the product kernel multiplies several times faster than entries meet one by
// one.
#pragma once
#include <algorithm>
#include <vector>

#include "columns/design.hpp"
#include "kernels/prices.hpp"
#include "kernels/tiles.hpp"

namespace banditcd {

// Gram entries asked for, each pair once.
inline double pairs_of(const GramRequest& request) {
  const double size = static_cast<double>(request.size),
               old = static_cast<double>(request.old_size);
  return 0.5 * (size * (size + 1.0) - old * (old + 1.0));
}

// Nanoseconds for entries that meet one by one, if the columns fill their rows independently, and
// for unpacked ones.
struct ProductCosts {
  double meeting, unpacked = kInfinity;
  bool packing_pays() const { return unpacked < meeting; }
  double least() const { return std::min(meeting, unpacked); }
};
template <class T>
ProductCosts costs_of(const CscColumns<T>& columns, const GramRequest& request) {
  double entries = 0.0, old = 0.0;
  for (std::size_t t = 0; t < request.size; ++t) {
    if (t == request.old_size) old = entries;
    entries += static_cast<double>(columns.entries(request.column[t]));
  }
  const double rows = static_cast<double>(columns.rows);
  ProductCosts out;
  out.meeting = kScatter * 0.5 * (entries + old) * (entries - old) / rows;
  if (request.size <= kPackColumns)
    out.unpacked =
        rows * (kPackEntry * static_cast<double>(request.size) + kProduct * pairs_of(request));
  return out;
}

// Products of the new columns with all of them, for i <= j; the rows of each column ascend.
template <class T>
void add_packed_products(const CscColumns<T>& columns, const Rowspace& space,
                         const GramRequest& request, Watch& watch) {
  const std::size_t size = request.size, old = request.old_size, ld = request.stride;
  for (std::size_t j = old; j < size; ++j)
    std::fill(request.gram + j * ld, request.gram + j * ld + size, 0.0);
  AlignedBuffer packed;
  packed.reserve(size * kGramRows);
  std::vector<std::int64_t> next(size);
  for (std::size_t t = 0; t < size; ++t) next[t] = columns.start[request.column[t]];
  for (std::size_t row = 0; row < columns.rows; row += kGramRows) {
    const std::size_t end = std::min(row + kGramRows, columns.rows);
    std::fill(packed.data(), packed.data() + size * kGramRows, 0.0);
    for (std::size_t t = 0; t < size; ++t) {
      const std::int64_t last = columns.start[request.column[t] + 1];
      double* to = packed.data() + t * kGramRows;
      std::int64_t k = next[t];
      for (; k < last && static_cast<std::size_t>(columns.row[k]) < end; ++k) {
        const std::size_t i = columns.row[k];
        to[i - row] = space.root_weight ? space.root_weight[i] * columns.value[k]
                                        : static_cast<double>(columns.value[k]);
      }
      next[t] = k;
    }
    add_products({packed.data(), kGramRows, size},
                 {packed.data() + old * kGramRows, kGramRows, size - old}, padded(end - row), 1.0,
                 request.gram + old * ld, ld, old == 0 ? Part::kDiagonal : Part::kAll);
    watch.check();
  }
}

// The same where weights and their roots are known. Returns the entries of X it read; 0 if it did
// nothing.
template <class T>
std::size_t packed_products(const CscColumns<T>& columns, const Rowspace& space,
                            const GramRequest& request, Watch& watch) {
  if ((space.weight == nullptr) != (space.root_weight == nullptr)) return 0;
  std::size_t entries = 0;
  for (std::size_t t = 0; t < request.size; ++t) entries += columns.entries(request.column[t]);
  add_packed_products(columns, space, request, watch);
  return entries;
}

}  // namespace banditcd
