// What rounding in a Gram matrix may hide.
//
// Each entry <x_i, x_j> is off by at most gamma |x_i| |x_j|, gamma = epsilon times the additions in
// one chain of the product kernel, so with B = |y| + sum_j |w_j| |x_j| every correlation is off by
// at most gamma |x_j| B, and |R|^2 and the sum over j of w_j u_j by at most gamma B^2. Norms are
// those before centering: that is what the rounding of a centered product is relative to.
#pragma once
#include "elastic_net/pool.hpp"
#include "elastic_net/training_data.hpp"

namespace banditcd::elastic_net {

struct GramRounding {
  double gamma = 0.0, bound = 0.0;
  double total() const { return 3.0 * gamma * bound * bound; }
  double of_correlation(double norm) const { return gamma * norm * bound; }
  // What it usually is: errors cancel.
  GramRounding usual() const { return {1e-2 * gamma, bound}; }
};

// Of a Gram matrix in double, at the coefficients of the pool.
GramRounding rounding_of(const TrainingData& data, const Pool& pool);

// A lower bound of the dual value that correlations from the Gram matrix of the pool gave.
double proven_dual(double value, const Pool& pool, const GramRounding& error);

}  // namespace banditcd::elastic_net
