// A point (w, b) with its margins m_i = y_i (x_i.w + b), the probabilities q_i = 1 / (1 + exp(m_i))
// of the wrong label, the objective and the gradient.
//
// alpha_i = y_i s_i q_i is the point's own dual point. Fenchel-Young holds with equality in every
// loss, so its gap is sum_j (d_j P)^2 / (2 lambda p_j), if nothing is free (projected_dual.hpp).
#pragma once
#include <vector>

#include "l2_logistic/passes.hpp"
#include "l2_logistic/problem.hpp"

namespace banditcd::l2_logistic {

class Point {
 public:
  explicit Point(const Problem& problem);
  void set(const double* coef, double intercept);
  void set_zero();
  bool is_zero() const;  // w alone

  // Everything below from w and b, in one pass.
  void evaluate(Passes& passes);
  // Loss and gradient from margins that were moved along with w and b; they are off by rounding.
  void evaluate_margins(Passes& passes);
  // Margins, q and the objective, and out = X^T (y s p) for other probabilities p, in one pass; the
  // gradient is not known afterwards.
  void evaluate_beside(const std::vector<double>& p, std::vector<double>& out, Passes& passes);
  // The gradient from q.
  void find_gradient(Passes& passes);
  // The derivative of P along a step.
  double slope(const std::vector<double>& step, double step_b) const;
  // The gap of the point's own dual point where nothing is free; the intercept's part to second
  // order. Costs no pass.
  double own_gap() const;
  // sum_i s_i KL(p_i || q_i), what other probabilities add to the gap.
  double entropy(const std::vector<double>& p) const;

  std::vector<double> w;
  double b = 0.0;
  std::vector<double> margin, q, gradient;
  double gradient_b = 0.0, loss = 0.0, primal = 0.0;
  bool exact = true;  // whether the margins come from X

 private:
  void read(const std::vector<double>& p, std::vector<double>& out, Passes& passes);
  void finish_gradient();

  const Problem& problem_;
  std::vector<double> terms_;  // of the losses, or of X^T alpha
};

}  // namespace banditcd::l2_logistic
