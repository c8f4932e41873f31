// The pool's sparse columns by rows.
#pragma once
#include <algorithm>
#include <vector>

#include "columns/design.hpp"
#include "columns/scaled_columns.hpp"

namespace banditcd {

// For each row that counts, which pool members have an entry there.
template <class T>
struct PoolRows {
  std::vector<std::int64_t> start;
  std::vector<Index> member;
  std::vector<T> value;         // of no use if all values are ones
  std::vector<Index> gathered;  // the columns
  std::vector<Index> row;       // the rows that count, if not all of them do

  std::size_t size() const { return start.size() - 1; }
  std::size_t row_of(std::size_t k) const { return row.empty() ? k : row[k]; }

  // A counting sort of the pool's entries by row, unless it was done for the same columns last
  // time. Returns the entries of X it read.
  std::size_t gather(const CscColumns<T>& columns, const Rowspace& space,
                     const GramRequest& request, Watch& watch) {
    if (!space.thinned && row.empty() && gathered.size() == request.size &&
        std::equal(gathered.begin(), gathered.end(), request.column))
      return 0;
    gathered.clear();  // what is sorted below counts only if it gets to its end
    row.clear();
    if (!space.thinned) {
      start.assign(columns.rows + 1, 0);
      return sort(columns, request, [](std::size_t i) { return i; }, watch);
    }
    // Rows that do not count share the last place, which is not read.
    place_.resize(columns.rows);
    for (std::size_t i = 0; i < columns.rows; ++i)
      if (space.weight[i] != 0.0) row.push_back(static_cast<Index>(i));
    std::fill(place_.begin(), place_.end(), static_cast<Index>(row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) place_[row[k]] = static_cast<Index>(k);
    start.assign(row.size() + 1, 0);
    const auto place = [this](std::size_t i) { return static_cast<std::size_t>(place_[i]); };
    return sort(columns, request, place, watch);
  }

 private:
  template <class Place>
  std::size_t sort(const CscColumns<T>& columns, const GramRequest& request, Place&& place,
                   Watch& watch) {
    constexpr std::size_t kCheckEntries = 1 << 18;
    std::size_t total = 0, since_check = 0;
    const auto check = [&](std::size_t entries) {
      if ((since_check += entries) > kCheckEntries) watch.check(), since_check = 0;
    };
    for (std::size_t t = 0; t < request.size; ++t) {
      const std::size_t j = request.column[t];
      for (std::int64_t k = columns.start[j]; k < columns.start[j + 1]; ++k)
        ++start[place(columns.row[k])];
      total += columns.entries(j);
      check(columns.entries(j));
    }
    const std::size_t last = start.size() - 1;
    std::int64_t sum = 0;
    for (std::int64_t& first : start) {
      const std::int64_t count = first;
      first = sum;
      sum += count;
    }
    const auto counted = static_cast<std::size_t>(start[last]);
    resize_without_copy(member, counted + 1, columns.entries() + 1);
    if (!columns.ones) resize_without_copy(value, counted + 1, columns.entries() + 1);
    for (std::size_t t = 0; t < request.size; ++t) {
      const std::size_t j = request.column[t];
      for (std::int64_t k = columns.start[j]; k < columns.start[j + 1]; ++k) {
        const std::size_t at = place(columns.row[k]);
        const std::int64_t to = start[at];
        start[at] += at < last ? 1 : 0;
        member[to] = static_cast<Index>(t);
        if (!columns.ones) value[to] = columns.value[k];
      }
      check(columns.entries(j));
    }
    gathered.assign(request.column, request.column + request.size);
    return total;  // start[k] is now the end of row k, and the start of row k + 1
  }

  std::vector<Index> place_;
};

}  // namespace banditcd
