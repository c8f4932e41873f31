// The regimes of L2-regularized multinomial regression, by the kind of their steps: the arms of
// solve/arms.hpp, and what each is expected to cost.
#pragma once
#include <vector>

#include "multinomial/preconditioner.hpp"
#include "solve/arms.hpp"

namespace banditcd::multinomial {

class Regimes {
 public:
  Regimes(const Problem& problem, const RowMatrix& X) : problem_(problem), X_(X) {}
  // All blocks with their factors, in nanoseconds.
  double blocks_cost() const;
  bool blocks_fit() const;
  // Whether blocks cost next to nothing: steps need not remember any.
  bool memoryless() const;
  // The kinds of steps by the number of their arm: all that can be expected to get there, or one.
  std::vector<Preconditioning> enter(Arms& arms, double tol, bool sampled) const;
  static std::vector<Preconditioning> enter_only(Preconditioning kind, Arms& arms);

 private:
  // The work that a regime is expected to need for a gap of tol times the null model's objective,
  // in nanoseconds; infinite where it is not considered. sampled: whether it starts from a sample.
  double expected_work(Preconditioning kind, double tol, bool sampled) const;

  double crowd() const;
  double matrices(Preconditioning kind) const;

  const Problem& problem_;
  const RowMatrix& X_;
};

}  // namespace banditcd::multinomial
