// A Newton direction of the L2-regularized model: the Hessian
//     H v = X^T u + L v,   u_i = s_i (diag(p_i) - p_i p_i^T) X v,
// is never formed; preconditioned conjugate gradients need products with it, each one pass. Or a
// direction of limited-memory BFGS, which needs none.
#pragma once
#include "multinomial/limited_memory.hpp"
#include "multinomial/preconditioner.hpp"

namespace banditcd::multinomial {

class Direction {
 public:
  explicit Direction(const Problem& problem);
  // The first direction of a solve comes next.
  void forget() {
    memory_.forget();
    products_ = 0;
    kept_ = false;
  }
  // The direction at this point. gradient: like W.
  struct Wanted {
    Preconditioning most;  // the best that pays; while few products are needed, an old one stays
    bool fresh;            // unless this is set
    bool whole;            // whether the last step was taken as a whole
    double target;         // of the gap
  };
  void find(const Point& point, const AlignedVector& gradient, const Wanted& wanted,
            Passes& passes);
  // What the model promises of the whole step; infinite without one.
  double decrease() const { return decrease_; }
  const AlignedVector& step() const { return step_; }      // the rows of W, then one of b
  const AlignedVector& change() const { return change_; }  // of z

 private:
  void prepare(const Point& point, const Wanted& wanted, Passes& passes);
  void apply(const Point& point, const double* v, double* out, Passes& passes) const;
  void balance(const Point& point, const AlignedVector& left, Passes& passes);
  void remember(const Point& point, const AlignedVector& gradient, Passes& passes);
  void find_change(Passes& passes);
  // The gradient of W, then that of b; zeros where a column is excluded.
  AlignedVector whole(const Point& point, const AlignedVector& gradient) const;

  const Problem& problem_;
  Preconditioner preconditioner_;
  Balance balance_;
  LimitedMemory memory_;
  AlignedVector step_, change_;
  double decrease_ = 0.0;
  std::size_t products_ = 0;  // of the last direction
  bool kept_ = false;         // whether the preconditioner belongs to this solve
};

}  // namespace banditcd::multinomial
