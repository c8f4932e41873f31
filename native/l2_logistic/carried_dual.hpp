// The carried dual point: what each Newton step predicts, carried from step to step.
//
// A Newton step solves  lambda P (w + step) = X^T (alpha - D X step),  alpha = y s q the dual point
// of w and D the curvature of the losses. So what the quadratic model predicts for the dual point
// at w + step belongs to w + step exactly, up to what is left of the linear system, and its gap is
// the model's error in the losses alone, sum_i s_i KL(p_i || q_i). The gap of q itself is the same
// error magnified by X X^T / lambda, which takes one or two steps more if lambda is small. After
// tau steps the point is (1 - tau) times the old one and tau times the predicted one. Predicted
// probabilities may leave [0, 1]; they are clipped, and X^T alpha is computed from the data.
#pragma once
#include <vector>

#include "l2_logistic/line_search.hpp"

namespace banditcd::l2_logistic {

class CarriedDual {
 public:
  explicit CarriedDual(const Problem& problem) : problem_(problem) {}
  // p of alpha = y s p.
  const std::vector<double>& probabilities() const { return p_; }

  // Starts at the point's own probabilities; or at p, which belong to the point exactly.
  void start_at(const Point& point);
  void start_at(const std::vector<double>& p);
  // After a step that the search has moved the point by.
  void follow(const Point& point, const NewtonDirection& direction, const LineSearch& search);
  // The gap that a certificate, which costs a pass, is likely to have (the losses to second order,
  // from below), and whether that reaches the target.
  double estimate(const Point& point) const;
  bool hopeful(const Point& point, double target) const;
  // The gap of the best dual point between q and the clipped p, which p becomes; with an intercept
  // only p itself is feasible.
  double certify(Point& point, double target, Passes& passes);
  // The same for p of given logits, which are balanced first if there is an intercept: the margins
  // of the point in the same pass, and the gradient for the points between only if that may reach
  // the target.
  double certify_logits(const std::vector<double>& logits, Point& point, double target,
                        Passes& passes);

 private:
  bool set_logits(const std::vector<double>& logits);
  double balance() const;
  double best_between(const Point& point);

  const Problem& problem_;
  std::vector<double> p_;
  std::vector<double> mismatch_;  // lambda P w - X^T alpha, by recursion until it is certified
};

}  // namespace banditcd::l2_logistic
