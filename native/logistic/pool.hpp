// The pool: the columns that the next models are about.
//
// A bin chooses it anew: the columns in use, the best of those that nearly are and were there
// before, and the violators with the largest marginal decreases
//   r_j = (|u_j| - p_j l1)_+^2 / (2 (mean_i h_i |x_j|^2 + p_j l2)),    u_j = <x_j, rho>.
#pragma once
#include <vector>

#include "logistic/point.hpp"
#include "solve/lazy_columns.hpp"

namespace banditcd::logistic {

// Columns with their penalties, coefficients and correlations <x_j, rho>, by place.
struct PoolColumns {
  std::vector<Index> column;
  std::vector<Penalty> g;
  std::vector<double> w, c;
  std::size_t size() const { return column.size(); }
  std::size_t support() const;
};

class Pool {
 public:
  void resize(std::size_t columns) { contains_.assign(columns, 0); }
  // Chooses among the columns that the last pass evaluated. square: |x_j|^2. Returns whether a
  // violator entered.
  bool choose(const LazyColumns& columns, const std::vector<double>& square, const Point& point,
              const Penalties& penalties, const Design& design);
  // After a step: coefficients by place, and the correlations with the new pull, read from X.
  void move_to(const std::vector<double>& w);
  void correlate(const Design& design, const std::vector<double>& pull, Watch& watch);
  // The point has moved, so that the correlations are old.
  void forget_point() { fresh_ = false; }

  const PoolColumns& columns() const { return columns_; }
  std::size_t size() const { return columns_.size(); }
  bool contains(Index j) const { return contains_[j] != 0; }
  // Whether the correlations belong to today's pull.
  bool fresh() const { return fresh_; }

 private:
  void add(Index j, double w, double c, const Penalty& g);
  std::size_t columns_to_add(const Design& design, double pass_entries) const;
  void judge_entered();

  PoolColumns columns_;  // those that entered last are at its end
  std::vector<char> contains_;
  bool fresh_ = false;
  std::size_t entered_ = 0;  // in this bin, and not judged yet
  double useful_ = 0.5;      // share of the columns entered lately that became non-zero
};

}  // namespace banditcd::logistic
