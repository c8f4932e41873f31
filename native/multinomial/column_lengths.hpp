// Lengths of the columns times the root of all weight: what rounding is in their product with a
// dual point.
//
// Beside a free intercept the dual point sums to zero, and of a column without penalty only what it
// has about its mean counts: of a small spread beside a large mean nearly all of the plain length
// is the intercept's, and a product far above rounding would pass for none. A constant column is
// the intercept once more and keeps its plain length.
#pragma once
#include <functional>
#include <vector>

#include "columns/class_columns.hpp"
#include "multinomial/problem.hpp"
#include "rows/row_matrix.hpp"

namespace banditcd::multinomial {

class ColumnLengths {
 public:
  // Measures what has not been; columns can become free of penalty between solves. By columns: the
  // eligible ones, plain and free; by rows: the free ones.
  void measure(const Problem& problem, const ClassColumns& X, const std::vector<Index>& eligible,
               Watch& watch);
  void measure(const Problem& problem, const RowMatrix& X, Watch& watch);
  const std::vector<double>& plain() const { return plain_; }
  double of(const Problem& problem, std::size_t j) const {
    return problem.free_column(j) ? free_[j] : plain_[j];
  }

 private:
  using Column = std::function<std::vector<double>(std::size_t)>;
  bool lacking(const Problem& problem) const;
  // squares: sum_i s_i x_ij^2, sums: sum_i s_i x_ij; column(j): its entries, asked for where the
  // difference of these two is rounding.
  void find_free(const Problem& problem, const std::vector<double>& squares,
                 const std::vector<double>& sums, const Column& column);

  std::vector<double> plain_, free_;  // negative: not known
};

}  // namespace banditcd::multinomial
