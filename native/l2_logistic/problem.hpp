// L2-regularized logistic regression,
//     P(w, b) = sum_i s_i log(1 + exp(-y_i (x_i.w + b))) + lambda/2 sum_j p_j w_j^2 :
// the arrays, borrowed, and what follows from them alone.
#pragma once
#include <cstddef>
#include <vector>

#include "rows/row_matrix.hpp"

namespace banditcd::l2_logistic {

struct Problem {
  const RowMatrix* X = nullptr;
  const double* y = nullptr;               // -1 or 1
  const double* sample_weight = nullptr;   // null: ones
  const double* penalty_weight = nullptr;  // null: ones; 0: free, infinite: w_j stays zero
  bool intercept = false;
  double lambda = 0.0;

  std::size_t rows() const { return X->rows(); }
  std::size_t cols() const { return X->cols(); }
  double weight(std::size_t i) const { return sample_weight ? sample_weight[i] : 1.0; }
  double penalty(std::size_t j) const { return penalty_weight ? penalty_weight[j] : 1.0; }
  double strength(std::size_t j) const { return lambda * penalty(j); }
  bool excluded(std::size_t j) const { return penalty_weight && penalty_weight[j] > 1e300; }
  bool free_column(std::size_t j) const { return !excluded(j) && strength(j) == 0.0; }
  bool has_free_columns() const;
  // Whether a dual point must be orthogonal to something.
  bool constrained() const { return intercept || has_free_columns(); }

  // The best constant model, or the zero model.
  double null_objective() const;
  double null_intercept() const;
  // lambda/2 sum_j p_j w_j^2
  double regularizer(const std::vector<double>& w) const;
  // sum_j v_j^2 / (2 lambda p_j) over the penalized columns: what v = lambda P w - X^T alpha adds
  // to the gap of w and alpha.
  double penalty_gap(const std::vector<double>& v) const;
  // v = lambda P w - v, zero for excluded columns: from X^T alpha to what penalty_gap takes.
  void subtract_from_penalty(const std::vector<double>& w, std::vector<double>& v) const;
  // sum_i s_i |x_i|^2, estimated from every step-th row.
  double weighted_squares(std::size_t step) const;
};

}  // namespace banditcd::l2_logistic
