// The search along a Newton step.
//
// The whole step is tried with one fused pass. Only if too much of the slope is left, or the step
// went too far, tau is searched along the margins old + tau (new - old), which needs no further
// product with X.
#pragma once
#include <vector>

#include "l2_logistic/newton_direction.hpp"

namespace banditcd::l2_logistic {

class LineSearch {
 public:
  explicit LineSearch(const Problem& problem) : problem_(problem) {}
  // Moves the point by tau steps. False: no decrease can be found.
  bool run(Point& point, const NewtonDirection& direction, Passes& passes);
  double tau() const { return tau_; }
  // Margins and probabilities where the step started.
  const std::vector<double>& old_margin() const { return old_margin_; }
  const std::vector<double>& old_q() const { return old_q_; }

 private:
  // The derivative of P along the step, at the start and after the whole step, and what the penalty
  // adds to it at tau: linear + tau quadratic.
  struct Slopes {
    double first, last, linear, quadratic;
  };
  double search(const std::vector<double>& new_margin, const Slopes& slopes) const;
  void move_back(Point& point, const NewtonDirection& direction, Passes& passes) const;

  const Problem& problem_;
  std::vector<double> old_margin_, old_q_;
  double tau_ = 1.0;
};

}  // namespace banditcd::l2_logistic
