// Lengths of the columns without penalty, times the root of all weight: what rounding is in their
// product with a dual point.
//
// Beside a free intercept the dual point sums to zero, and only what a column has about its mean
// counts: of a small spread beside a large mean nearly all of the plain length is the intercept's,
// and a product far above rounding would pass for none. A constant column is the intercept once
// more and keeps its own length.
#pragma once
#include <functional>
#include <vector>

#include "multinomial/problem.hpp"

namespace banditcd::multinomial {

class FreeLengths {
 public:
  using Column = std::function<std::vector<double>(std::size_t)>;
  // Columns that have become free since the last call. squares: sum_i s_i x_ij^2, sums:
  // sum_i s_i x_ij; column(j): its entries, asked for where the difference of these two is
  // rounding.
  void find(const Problem& problem, const std::vector<double>& squares,
            const std::vector<double>& sums, const Column& column);
  // Whether a free column has no length yet.
  bool lacking(const Problem& problem) const;
  double operator[](std::size_t j) const { return length_[j]; }

 private:
  std::vector<double> length_;  // negative: not known
};

}  // namespace banditcd::multinomial
