// The direction of a Newton step, -H^-1 gradient, by a factored Hessian or conjugate gradients.
//
// The curvature of the rows changes little from step to step, so the factor of an earlier Hessian
// is a good preconditioner: it serves until it needs more products than a new one is worth.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "l2_logistic/hessian.hpp"
#include "quadratic/conjugate_gradients.hpp"

namespace banditcd::l2_logistic {

enum class DirectionBy { kFactor, kConjugateGradients };

class NewtonDirection {
 public:
  explicit NewtonDirection(const Problem& problem);
  // The start of a solve to a gap of `target`: no factor is known yet.
  void begin(const Point& start, double target);
  // Conjugate gradients end when they have done `most` work, wherever they are.
  void find(const Point& point, DirectionBy method, double most, Passes& passes);

  const std::vector<double>& step() const { return step_; }
  double step_b() const { return step_b_; }
  // -gradient - H step: what the linear system was not solved for.
  const std::vector<double>& unsolved() const { return unsolved_; }
  // s q (1 - q) of every row at the point the step starts from.
  const std::vector<double>& curvature() const { return hessian_.curvature(); }

 private:
  bool factor(Passes& passes);
  LinearSystem system(Passes& passes) const;
  bool by_old_factor(Passes& passes);
  void by_conjugate_gradients(double most, Passes& passes);
  double proof() const;
  double residual_goal(double wanted, double most) const;

  const Problem& problem_;
  Hessian hessian_;
  std::vector<double> step_, unsolved_;
  double step_b_ = 0.0, first_gradient_ = 0.0, target_ = 0.0;
  Cholesky cholesky_;
  bool factored_ = false;      // cholesky_ holds the Hessian of an earlier step of this solve
  bool rough_failed_ = false;  // single precision is not enough for this matrix
};

}  // namespace banditcd::l2_logistic
