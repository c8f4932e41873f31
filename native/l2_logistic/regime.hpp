// The regimes of L2-logistic regression, and the cost model that chooses between them.
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

// The cheapest regime.
Regime choose_regime(const Problem& problem);
// Whether the problem in row space is smaller and worth its Gram matrix.
bool row_space_applies(const Problem& problem);
// Whether Newton steps should start at the solution of a sample of the rows: enough rows for every
// column, and a penalty that keeps that solution from fitting what only the sample shows.
bool sampling_applies(const Problem& problem, Regime regime);

}  // namespace banditcd::l2_logistic
