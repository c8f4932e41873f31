// One quadratic model of the objective on a pool S, around the point (w, b):
//
//   min over x, a of  1/2 sum_i h_i (d_i - rho_i / h_i)^2 + sum_S g_j(x_j),
//   d = X_S (x - w) + a,
//
// with the pulls rho and the curvatures h of the loss. With an intercept the model is minimized
// over its step a as well: that is what centering the columns by their h-weighted means does.
#pragma once
#include <vector>

#include "logistic/pool.hpp"
#include "solve/report.hpp"

namespace banditcd::logistic {

// How well a model is to be minimized.
struct Accuracy {
  double gap = 0.0;
  bool passing = false;  // the next model will have other columns: stop when epochs bring little
};

struct ModelProblem {
  Design& design;
  const Point& point;
  const PoolColumns& pool;
  Accuracy wanted;
};

// Work of one solve: entries of X read, and seconds by kind of work.
struct Work {
  double entries_read = 0.0;
  Phases phases;
};

// h-weighted means and squares of columns, by column of X; only those of the last pool are current.
class WeightedColumns {
 public:
  explicit WeightedColumns(bool centered) : centered_(centered) {}
  void resize(std::size_t columns) {
    facts_.mean.resize(columns);
    facts_.square.resize(columns);
  }
  // Means are zero without an intercept; squares are centered, and need the means.
  void find_means(const Design& design, const Rowspace& rows, const PoolColumns& pool,
                  Watch& watch);
  void find_squares(const Design& design, const Rowspace& rows, const PoolColumns& pool,
                    Watch& watch);
  void set_mean(Index j, double mean) { facts_.mean[j] = mean; }
  const ColumnFacts& facts() const { return facts_; }
  double mean(Index j) const { return facts_.mean[j]; }
  bool centered() const { return centered_; }

 private:
  bool centered_;
  ColumnFacts facts_;
  std::vector<double> buffer_;
};

}  // namespace banditcd::logistic
