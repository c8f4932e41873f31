// The pool: columns that entered, with their Gram matrix, coefficients and correlations.
#pragma once
#include <vector>

#include "columns/design.hpp"
#include "quadratic/quadratic.hpp"

namespace banditcd::elastic_net {

class Pool {
 public:
  std::size_t size() const { return column_.size(); }
  const std::vector<Index>& columns() const { return column_; }
  bool contains(Index j) const { return place_[j] >= 0; }
  // Columns the Gram matrix may hold within the memory cap.
  std::size_t limit() const { return limit_; }
  double* x() { return x_.data(); }
  double* c() { return c_.data(); }
  const double* x() const { return x_.data(); }
  const double* c() const { return c_.data(); }

  void reset(std::size_t cols, std::size_t max_bytes);
  // Appends columns; correlation = their <x_j, R> at the current point. Returns entries of X read.
  std::size_t append(Design& design, const Rowspace& space, const ColumnFacts& facts,
                     const std::vector<Index>& columns, const double* correlation, Watch& watch);
  // The same with a Gram matrix in single precision: what it says about values is never believed.
  std::size_t append_rough(Design& design, const ColumnFacts& facts,
                           const std::vector<Index>& columns, const double* correlation,
                           Watch& watch);
  // Computes the Gram matrix again in double; square = |y|^2.
  std::size_t make_exact(Design& design, const Rowspace& space, const ColumnFacts& facts,
                         double square, Watch& watch);
  // The same without a Gram matrix, for the residual regime.
  void append_bare(const ColumnFacts& facts, const std::vector<Index>& columns,
                   const double* correlation);
  void drop_gram();
  // Makes c and |R|^2 what a true residual says they are: G then only models the changes.
  void rebase(const double* correlation, double residual2);
  void set_square(double square) { square_ = square; }  // |y|^2
  void set_penalties(const Penalties& penalties);
  Quadratic problem();

 private:
  void ensure_capacity(std::size_t size);
  std::vector<Index> with(const std::vector<Index>& columns);
  GramRequest block_of(const std::vector<Index>& columns);
  void admit(const ColumnFacts& facts, const std::vector<Index>& columns,
             const double* correlation);
  void enter(const ColumnFacts& facts, Index j, double correlation);

  std::size_t limit_ = 0, stride_ = 0;
  bool rough_ = false;
  AlignedBuffer gram_;
  std::vector<Index> column_;
  std::vector<std::int32_t> place_;
  std::vector<double> q_, x_;
  AlignedVector c_;
  std::vector<Penalty> g_;
  Penalties penalties_;
  double square_ = 0.0;
};

}  // namespace banditcd::elastic_net
