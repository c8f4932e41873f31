// The pool's sparse columns by rows.
#pragma once
#include <algorithm>
#include <vector>

#include "record/design.hpp"

namespace banditcd::record {

// For each row, which pool members have an entry there.
struct PoolRows {
  std::vector<std::int64_t> start;
  std::vector<Index> member;
  std::vector<double> value;
  std::vector<Index> gathered;  // the columns

  // A counting sort of the pool's entries by row, unless it was done for the same columns last
  // time. Returns the entries of X it read.
  template <class T>
  std::size_t gather(const CscColumns<T>& columns, const GramRequest& request) {
    if (gathered.size() == request.size &&
        std::equal(gathered.begin(), gathered.end(), request.column))
      return 0;
    gathered.assign(request.column, request.column + request.size);
    start.assign(columns.rows + 1, 0);
    std::size_t total = 0;
    for (std::size_t t = 0; t < request.size; ++t) {
      const std::size_t j = request.column[t];
      for (std::int64_t k = columns.start[j]; k < columns.start[j + 1]; ++k)
        ++start[columns.row[k]];
      total += columns.entries(j);
    }
    std::int64_t sum = 0;
    for (std::int64_t& first : start) {
      const std::int64_t count = first;
      first = sum;
      sum += count;
    }
    if (member.size() < total) {
      member.resize(total + total / 2);
      value.resize(total + total / 2);
    }
    for (std::size_t t = 0; t < request.size; ++t) {
      const std::size_t j = request.column[t];
      for (std::int64_t k = columns.start[j]; k < columns.start[j + 1]; ++k) {
        const std::int64_t to = start[columns.row[k]]++;
        member[to] = static_cast<Index>(t);
        value[to] = columns.value[k];
      }
    }
    return total;  // start[i] is now the end of row i, and the start of row i + 1
  }
};

}  // namespace banditcd::record
