// A point (W, b) with everything that follows without another look at X: the predictors z, the
// probabilities p, the pulls theta = s (y - p) and the loss.
//
// Values of all classes stand side by side: row j of W and row i of z, p and theta have
// problem.width() places, zeros behind the last class.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "kernels/memory.hpp"
#include "multinomial/problem.hpp"

namespace banditcd::multinomial {

// Intercepts that balance probabilities: sum_i s_i p_ik = the weight of class k, for every k.
class Balance {
 public:
  explicit Balance(const Problem& problem);
  // Adds the balancing intercepts, which sum to zero, to every row of z and to b: the minimizer of
  // the loss over b, by Newton's method. p = softmax(z) on entry, too. Returns the loss.
  double settle(AlignedVector& z, AlignedVector& p, double* b, double loss, Watch& watch);
  // The largest imbalance that is left, over all weight.
  double left() const { return left_; }

  // out_k = sum_i s_i (p_ik - [y_i = k]); returns the weight of all wrong probabilities, which is
  // what out is rounded by.
  double imbalance(const AlignedVector& p, std::vector<double>& out) const;
  // Solves sum_i s_i (diag(p_i) - p_i p_i^T) step = rhs for the step that sums to zero; zero if
  // there is no curvature left. rhs sums to zero.
  void solve(const AlignedVector& p, const std::vector<double>& rhs, std::vector<double>& step,
             Watch& watch);

 private:
  void find_shared(const AlignedVector& p, Watch& watch);
  void scale(const AlignedVector& p, std::vector<double>& step) const;
  // Goes against a step as far as the loss does not rise; whether anything moved.
  bool move(const std::vector<double>& step, AlignedVector& z, AlignedVector& p, double* b,
            double& loss, Watch& watch);

  const Problem& problem_;
  double total_, left_ = 0.0;
  std::vector<std::vector<double>> shared_;
  Cholesky system_;
  AlignedVector trial_z_, trial_p_;
};

class Point {
 public:
  explicit Point(const Problem& problem);

  // Class by class, as Python has it; excluded columns stay at zero.
  void set(const double* coef, const double* intercept);
  void set_null();
  void write(double* coef, double* intercept) const;
  // After W or b changed and z = X W (without b) was written: p, the loss, theta.
  void evaluate();
  // After a step whose predictors, b included, are in z, their probabilities in p.
  void arrive(double at_loss);
  // The best b; whether it may have moved.
  bool settle(Watch& watch);
  // What is left of the intercepts' condition against b; infinite if it is more than rounding.
  double leftover() const;
  // sum_i s_i KL(q_i || p_i), also where the predictors tell more of p than its numbers do.
  double relative_entropy(const AlignedVector& q) const;
  // What the logarithm of p_ik lacks: a probability is held at exp(-kHeld) of the largest.
  double missing(std::size_t i, std::size_t k) const;
  // sum_jk g_j(w_jk)
  double penalty() const;
  // Coefficients that are not zero.
  std::size_t support() const;
  double primal() const { return loss + penalty(); }
  // W and b without their means over the classes: the loss stays, an L2 penalty falls.
  void center();
  void center_intercepts();

  AlignedVector w, z, p, theta;
  std::vector<double> b;
  double loss = 0.0;

 private:
  void find_theta();
  void center_row(double* row) const;

  const Problem& problem_;
  Balance balance_;
  bool settled_ = false;  // b is the best for this W
};

}  // namespace banditcd::multinomial
