// The regimes of L2-logistic regression: the arms of solve/arms.hpp, and what each is expected to
// cost.
#pragma once
#include "l2_logistic/problem.hpp"

namespace banditcd::l2_logistic {

enum class Regime { kNewton, kNewtonCg, kRowSpace, kDualDescent };
constexpr Regime kRegimes[] = {Regime::kNewton, Regime::kNewtonCg, Regime::kRowSpace,
                               Regime::kDualDescent};
constexpr const char* regime_name(Regime regime) {
  constexpr const char* names[] = {"newton", "newton_cg", "row_space", "dual_descent"};
  return names[static_cast<int>(regime)];
}

// Whether a regime can solve the problem at all.
bool applies(const Problem& problem, Regime regime);
// The work that a regime is expected to need for a gap of tol times the null model's objective, in
// nanoseconds; infinite where it is not considered.
double expected_work(const Problem& problem, Regime regime, double tol);
// Whether dual descent reads a copy in single precision where its target lets it.
bool copy_pays(const Problem& problem);
// One pass of dual descent, over X or that copy.
double dual_pass_cost(const Problem& problem, bool rounded);
// Whether Newton steps should start at the solution of a sample of the rows: enough rows for every
// column, and a penalty that keeps that solution from fitting what only the sample shows.
bool sampling_applies(const Problem& problem, Regime regime);

}  // namespace banditcd::l2_logistic
