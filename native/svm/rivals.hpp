// What the methods beside descent would cost for a problem, in nanoseconds (strategy.hpp).
#pragma once
#include "svm/budget.hpp"
#include "svm/problem.hpp"

namespace banditcd::svm {

// The cost of a row times its square, on average: how far one row can move the margin of another.
double mean_strength(const Problem& problem);

// Each without a price where the problem is not for it.
// Newton's method by a matrix: some steps, and more of them for every decade.
Rival newton_rival(const Problem& problem);
// Newton's method by conjugate gradients: a guess, since nothing tells how many products they take.
Rival cg_rival(const Problem& problem);
// The Gram matrix of the rows, its factor, and descent over that.
Rival gram_rival(const Problem& problem);

}  // namespace banditcd::svm
