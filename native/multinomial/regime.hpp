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
  // What Newton arms of known price cost where quasi-Newton steps have brought the objective to
  // this share of the null model's. Classes that X separates tell themselves by that only: every
  // step shrinks such a loss by about the same factor, and there are the more of them.
  void price_again(const std::vector<Preconditioning>& kinds, Arms& arms, double tol,
                   double share) const;
  static std::vector<Preconditioning> enter_only(Preconditioning kind, Arms& arms);

 private:
  // The work that a regime is expected to need for a gap of tol times the null model's objective,
  // in nanoseconds; infinite where it is not considered. sampled: whether it starts from a sample.
  // more: Newton steps beside the usual ones.
  double expected_work(Preconditioning kind, double tol, bool sampled, double more = 0.0) const;

  double crowd() const;
  double matrices(Preconditioning kind) const;

  const Problem& problem_;
  const RowMatrix& X_;
};

}  // namespace banditcd::multinomial
