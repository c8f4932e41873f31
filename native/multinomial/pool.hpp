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

namespace banditcd::multinomial {

struct Pool {
  std::vector<Index> column;        // by coordinate
  std::vector<std::int32_t> label;  // the class, ascending
  std::vector<Penalty> g;
  std::vector<double> x, u;  // coefficients, and correlations <x_j, theta_k>, at the point

  std::size_t size() const { return column.size(); }
  void clear() {
    column.clear();
    label.clear();
    g.clear();
    x.clear();
    u.clear();
  }
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
};

}  // namespace banditcd::multinomial
