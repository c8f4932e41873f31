// A Newton direction of the L2-regularized model: the Hessian
//     H v = X^T u + L v,   u_i = s_i (diag(p_i) - p_i p_i^T) X v,
// is never formed; preconditioned conjugate gradients need products with it, each one pass.
#pragma once
#include "multinomial/preconditioner.hpp"

namespace banditcd::multinomial {

class Direction {
 public:
  explicit Direction(const Problem& problem);
  // The direction at this point. gradient: like W. goal: length of the gradient of the model that
  // may be left.
  void find(const Point& point, const AlignedVector& gradient, double goal, Preconditioning kind,
            Passes& passes);
  const AlignedVector& step() const { return step_; }  // the rows of W, then one of b
  const AlignedVector& change() const { return change_; }  // of z
  std::size_t products() const { return products_; }

 private:
  void apply(const Point& point, const double* v, double* out, Passes& passes) const;
  void balance(const Point& point, std::vector<double>& left, Passes& passes);

  const Problem& problem_;
  Preconditioner preconditioner_;
  Balance balance_;
  AlignedVector step_, change_;
  std::size_t products_ = 0;
};

}  // namespace banditcd::multinomial
