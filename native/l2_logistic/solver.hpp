// L2-regularized logistic regression,
//     P(w, b) = sum_i s_i log(1 + exp(-y_i (x_i.w + b))) + lambda/2 sum_j p_j w_j^2,
// by damped Newton steps; see certificate() for what is certified.
//
// With q_i = 1 / (1 + exp(m_i)), m the margins, the dual point alpha_i = y_i s_i q_i gives
//     P - D = sum_j (lambda p_j w_j - <x_j, alpha>)^2 / (2 lambda p_j)
// exactly (Fenchel-Young holds with equality in every loss). Columns without penalty, and the
// intercept, ask <x_j, alpha> = 0: alpha is projected first, and the losses add
// s_i KL(projected q_i || q_i). A second dual point is carried along, see logistic_pair.cpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/cholesky.hpp"
#include "quadratic/conjugate_gradients.hpp"
#include "rows/row_matrix.hpp"
#include "solve/report.hpp"

namespace banditcd::l2_logistic {

struct LogisticData {
  const RowMatrix* X = nullptr;
  const double* y = nullptr;        // -1 or 1
  const double* weight = nullptr;   // null: ones
  const double* penalty = nullptr;  // null: ones; 0: free, infinite: the coefficient stays zero
  bool intercept = false;
};

enum class Regime { kNewton, kNewtonCg, kRowspace, kDualDescent };
constexpr Regime kRegimes[] = {Regime::kNewton, Regime::kNewtonCg, Regime::kRowspace,
                               Regime::kDualDescent};
constexpr const char* regime_name(Regime regime) {
  constexpr const char* names[] = {"newton", "newton_cg", "rowspace", "dual_descent"};
  return names[static_cast<int>(regime)];
}

class L2Logistic {
 public:
  explicit L2Logistic(const LogisticData& data);
  Report solve(double lambda, const Limits& limits);
  void start_at(const double* coef, double intercept);
  const std::vector<double>& coef() const { return w_; }
  double intercept() const { return b_; }
  double null_objective() const { return null_objective_; }
  // p of the carried dual point alpha = y s p, after a solve that it certified.
  const std::vector<double>& carried() const { return pair_; }
  bool was_carried() const { return carried_; }
  // For tests and measurements; otherwise the cost model chooses.
  void force_regime(Regime regime) { forced_ = static_cast<int>(regime); }

 private:
  std::size_t rows() const { return data_.X->rows(); }
  std::size_t cols() const { return data_.X->cols(); }
  double weight(std::size_t i) const { return data_.weight ? data_.weight[i] : 1.0; }
  double penalty(std::size_t j) const { return data_.penalty ? data_.penalty[j] : 1.0; }
  bool excluded(std::size_t j) const { return data_.penalty && data_.penalty[j] > 1e300; }

  void find_null_objective();
  double mean_curvature() const;
  Regime choose() const;
  // The objective, margins, q and the gradient at (w_, b_), in one reading of X.
  void evaluate(Watch& watch);
  void finish_gradient();
  double regularizer(const std::vector<double>& w) const;
  double cheap_gap() const;
  double certificate(Watch& watch);
  double current_gap(double target, Watch& watch);
  bool has_free_columns() const;
  bool project(std::vector<double>& q);
  bool solve_dependent(std::vector<double>& rhs);
  double leftover(const std::vector<double>& q) const;
  void find_free_columns(Watch& watch);

  void start_pair();
  void carry_pair(double tau);
  double penalty_gap(const std::vector<double>& v) const;
  double entropy_gap() const;
  bool pair_hopeful(double target) const;
  double pair_certificate(Watch& watch);
  double evaluate_pair(Watch& watch);
  void finish_apart();
  double best_between();

  void curvature();  // d_ = s q (1 - q)
  void newton_direction(Watch& watch);
  void center_curvature(Watch& watch);
  bool factor_hessian(Watch& watch);
  LinearSystem hessian(Watch& watch) const;
  bool old_factor_direction(Watch& watch);
  void cg_direction(Watch& watch);
  double slope() const;            // of P along the direction
  bool line_search(Watch& watch);  // false: no decrease can be found
  double search_margins(double quadratic, double first_slope, double last_slope) const;
  void move_along(double tau, Watch& watch);
  // The point with the smallest gap so far: what a stopped solve returns.
  void keep_certified(double gap, Report& report);
  void restore_certified(Report& report);
  bool rowspace_applies() const;
  void start_in_rowspace(const Limits& limits, Watch& watch);
  bool sampling_applies() const;
  void start_from_sample(const Limits& limits, Watch& watch);
  void start(Watch& watch);
  bool dual_descent_applies() const;
  bool dual_before_rowspace() const;
  void start_dual(Watch& watch);
  double dual_run(const std::vector<std::int32_t>& order, std::size_t first);
  bool certify_dual(Report& report, Watch& watch);
  std::vector<std::int32_t> dual_rows() const;
  bool dual_descent(const Limits& limits, Report& report, Watch& watch);
  Status newton(const Limits& limits, Report& report, Watch& watch);

  LogisticData data_;
  int forced_ = -1;
  Regime regime_ = Regime::kNewton;
  double lambda_ = 0.0, null_objective_ = 0.0, passes_ = 0.0;
  std::vector<double> w_, step_, gradient_, mean_;
  double b_ = 0.0, step_b_ = 0.0, penalty_slope_ = 0.0, gradient_b_ = 0.0, total_curvature_ = 0.0;
  double loss_ = 0.0, primal_ = 0.0, first_gradient_ = 0.0, gradient_norm_ = 0.0;
  std::vector<double> m_, q_, losses_, d_, old_margin_, old_q_;
  std::vector<double> left_;   // of the last step's linear system
  std::vector<double> pair_;   // the probabilities of the second dual point
  std::vector<double> apart_;  // lambda P w - X^T alpha for it, by recursion
  bool pair_given_ = false;
  std::vector<double> free_;  // free columns (and ones for the intercept), one after another
  std::vector<std::size_t> free_column_;
  double balance_ = 0.0, bend_ = 0.0;    // sum of y s p, and of s p (1 - p)
  std::vector<double> theta_, squares_;  // dual descent: logits, and squared norms of the rows
  std::vector<double> certified_w_;
  double certified_b_ = 0.0;
  bool margins_exact_ = true;
  bool carried_ = false;  // the certificate is that of the carried dual point
  bool free_known_ = false, free_too_many_ = false;
  bool factored_ = false;      // cholesky_ holds the Hessian of an earlier step of this solve
  bool rough_failed_ = false;  // single precision is not enough for this matrix
  double target_ = 0.0;
  Cholesky cholesky_, projection_;
};

}  // namespace banditcd::l2_logistic
