// The Gram matrix of sparse columns entry by entry: only rows where both columns have an entry are
// touched.
#pragma once
#include <algorithm>

#include "columns/design.hpp"
#include "columns/pool_rows.hpp"
#include "kernels/prefetch.hpp"
#include "kernels/prices.hpp"

namespace banditcd {

template <class T>
class ScatterGram {
 public:
  explicit ScatterGram(const CscColumns<T>& columns) : columns_(columns) {}

  // Products of the new columns with all of them, for i <= j. Returns the entries of X it read.
  std::size_t fill(const Rowspace& space, const GramRequest& request, Watch& watch) {
    const std::size_t read = rows_.gather(columns_, space, request, watch);
    if (space.thinned || (request.old_size == 0 && request.size <= kRowwise))
      scatter_rows(space, request, watch);
    else
      scatter_columns(space, request, watch);
    return read;
  }
  // Gram entries that were made in another way took this many nanoseconds each.
  void note(double pairs, double each) {
    pairs_ += pairs;
    overlap_ += pairs * each / kScatter;
  }
  // What a Gram entry has cost so far, in nanoseconds, once there are any.
  bool measured() const { return pairs_ > 0.0; }
  double entry_cost() const { return kScatter * overlap_ / pairs_ + kGramEntry; }

 private:
  static constexpr std::int64_t kAhead = 6;
  static constexpr std::size_t kCheckEntries = 1 << 19, kCheckRows = 1 << 12;
  static constexpr std::size_t kRowwise = 256;  // columns whose matrix fits a second-level cache

  // Few columns: the whole matrix stays in the second-level cache while the rows stream through.
  void scatter_rows(const Rowspace& space, const GramRequest& request, Watch& watch) {
    const std::size_t ld = request.stride;
    for (std::size_t j = 0; j < request.size; ++j)
      std::fill(request.gram + j * ld, request.gram + j * ld + j + 1, 0.0);
    const Index* member = rows_.member.data();
    const T* value = rows_.value.data();
    std::int64_t first = 0, work = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::int64_t last = rows_.start[i];
      const double s = space.weight ? space.weight[rows_.row_of(i)] : 1.0;
      for (std::int64_t a = first; a < last; ++a) {
        const double v = columns_.ones ? s : s * value[a];
        double* out = request.gram + static_cast<std::size_t>(member[a]) * ld;
        if (columns_.ones)
          for (std::int64_t b = first; b <= a; ++b) out[member[b]] += s;
        else
          for (std::int64_t b = first; b <= a; ++b) out[member[b]] += v * value[b];
      }
      work += (last - first) * (last - first + 1) / 2;
      first = last;
      if (i % kCheckRows == 0) watch.check();
    }
    overlap_ += static_cast<double>(work);
    pairs_ += pairs_of(request);
  }

  void scatter_columns(const Rowspace& space, const GramRequest& request, Watch& watch) {
    std::size_t since_check = 0;
    for (std::size_t j = request.old_size; j < request.size; ++j) {
      double* out = request.gram + j * request.stride;
      std::fill(out, out + j + 1, 0.0);
      const std::size_t work = scatter_column(space, request.column[j], static_cast<Index>(j), out);
      since_check += work;
      overlap_ += static_cast<double>(work);
      pairs_ += static_cast<double>(j + 1);
      if (since_check > kCheckEntries) watch.check(), since_check = 0;
    }
  }

  // out[t] += <x_t, x_j> for every pool member t up to place: only rows where both have an entry
  // are touched. The members of a row are in increasing order.
  std::size_t scatter_column(const Rowspace& space, std::size_t j, Index place, double* out) const {
    std::size_t work = 0;
    const std::int64_t end = columns_.start[j + 1];
    for (std::int64_t k = columns_.start[j]; k < end; ++k) {
      const std::size_t i = columns_.row[k];
      if (k + kAhead < end && columns_.row[k + kAhead] > 0) {
        const std::int64_t next = rows_.start[columns_.row[k + kAhead] - 1];
        BANDITCD_PREFETCH(&rows_.member[next]);
        if (!columns_.ones) BANDITCD_PREFETCH(&rows_.value[next]);
      }
      const double v = space.weight ? space.weight[i] * columns_.value[k]
                                    : static_cast<double>(columns_.value[k]);
      const std::int64_t first = i == 0 ? 0 : rows_.start[i - 1], last = rows_.start[i];
      std::int64_t t = first;
      if (columns_.ones)
        for (; t < last && rows_.member[t] <= place; ++t) out[rows_.member[t]] += v;
      else
        for (; t < last && rows_.member[t] <= place; ++t)
          out[rows_.member[t]] += v * rows_.value[t];
      work += static_cast<std::size_t>(t - first);
    }
    return work;
  }

  const CscColumns<T>& columns_;
  PoolRows<T> rows_;
  double overlap_ = 0.0, pairs_ = 0.0;  // products made so far, and Gram entries they gave
};

}  // namespace banditcd
