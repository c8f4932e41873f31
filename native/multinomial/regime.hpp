// Which steps pay: what the preconditioners of a problem cost, by the price list.
#pragma once
#include "multinomial/preconditioner.hpp"

namespace banditcd::multinomial {

class Regimes {
 public:
  Regimes(const Problem& problem, const RowMatrix& X) : problem_(problem), X_(X) {}
  // One pass for all classes, and all blocks with their factors, in nanoseconds.
  double pass_cost() const;
  double blocks_cost() const;
  bool blocks_fit() const;
  // Whether blocks cost next to nothing: steps need not remember any.
  bool memoryless() const;
  // What is expected to be the quickest. sampled: whether the start comes from a sample.
  Preconditioning choose(double tol, bool sampled) const;

 private:
  const Problem& problem_;
  const RowMatrix& X_;
};

}  // namespace banditcd::multinomial
