// The coordinates (column, class) that a quadratic model of the objective moves, class by class:
//
//   min over x, a of  sum_i [ 1/2 dz_i^T H_i dz_i - theta_i dz_i ] + sum_c g_c(x_c),
//   H_i = s_i (diag(p_i) - p_i p_i^T),  dz = X (x - w) + a,
//
// around the point w, b with the pulls theta; a is the step of the intercepts.
#pragma once
#include <vector>

#include "columns/class_columns.hpp"
#include "multinomial/point.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

// Columns that may move, with correlations of all classes and lengths, by column.
struct Candidates {
  const std::vector<Index>& eligible;
  const AlignedVector& u;
  const std::vector<double>& norm;
};

struct Pool {
  std::vector<Index> column;        // by coordinate
  std::vector<std::int32_t> label;  // the class, ascending
  std::vector<Penalty> g;
  std::vector<double> x, u;  // coefficients, and correlations <x_j, theta_k>, at the point

  std::vector<Index> used;         // the columns, each once
  std::vector<std::size_t> place;  // of the column of a coordinate among them

  std::size_t size() const { return column.size(); }
  // Whether it is nearly all of that many coordinates.
  bool nearly(std::size_t all) const {
    return static_cast<double>(size()) > kNearlyAll * static_cast<double>(all);
  }
  // Of a pass over all columns.
  double share(const Problem& problem) const {
    return static_cast<double>(used.size()) / static_cast<double>(problem.cols);
  }
  // The support, and as many new coordinates as it has (or a few), the worst violators.
  void choose(const Problem& problem, const Point& point, const Candidates& among);
  // Every coordinate.
  void choose_all(const Problem& problem, const Point& point, const Candidates& among);
  // Coefficients and correlations of today.
  void refresh(const ClassColumns& X, const Problem& problem, const Point& point, Watch& watch);
  // Whether every coordinate is one of the other pool.
  bool within(const Pool& other) const;
  // Without the coordinates that stay at zero.
  void prune();
  void clear() {
    column.clear();
    label.clear();
    g.clear();
    x.clear();
    u.clear();
  }

 private:
  template <class Wanted>
  void take(const Problem& problem, const Point& point, const Candidates& among, Wanted&& wanted);
  void find_places();
};

// The minimizer of a model: coefficients, and the step of the intercepts.
struct ModelStep {
  std::vector<double> x, shift;
};

struct ModelProblem {
  const Problem& problem;
  const ClassColumns& X;
  const Point& point;
  const Pool& pool;
  double gap;      // the accuracy wanted
  double damping;  // of the model in Gram space: a proximal term, relative to its diagonal

  // Every step-th row of the problem is one of X, with that many times its weight.
  std::size_t step = 1;
  bool plain() const { return step == 1 && !problem.rows.weight; }
  std::size_t rows() const { return X.rows(); }
  double weight(std::size_t i) const {
    return static_cast<double>(step) * problem.weight(i * step);
  }
  double probability(std::size_t i, std::size_t k) const {
    return point.p[i * step * problem.width() + k];
  }
};

}  // namespace banditcd::multinomial
