// Groups of columns: a partition of the columns of X, with a penalty weight for each part.
//
// A block is a group across all tasks (responses): the coefficients of p columns for K tasks, p K
// numbers whose Euclidean norm is penalized. Several responses with one column to a group make the
// multi-task Lasso, one response with any groups the group Lasso.
#pragma once
#include <cstddef>
#include <vector>

#include "columns/design.hpp"
#include "solve/penalty.hpp"

namespace banditcd::groups {

struct Layout {
  std::vector<Index> column;       // group g: column[start[g]] .. column[start[g + 1] - 1]
  std::vector<std::size_t> start;  // one more than there are groups
  std::vector<double> weight;      // of the penalty: 0 none, infinity excludes the group

  std::size_t count() const { return weight.size(); }
  std::size_t size(std::size_t g) const { return start[g + 1] - start[g]; }
  const Index* columns(std::size_t g) const { return column.data() + start[g]; }
};

// l |W_g| + (m / 2) |W_g|^2, with the weight of the group in both.
inline Penalty penalty_of(const Layout& layout, std::size_t g, double l1, double l2) {
  Penalty out;
  out.l = l1 * layout.weight[g];
  out.m = l2 * layout.weight[g];
  return out;
}

}  // namespace banditcd::groups
