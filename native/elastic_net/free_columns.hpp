// Columns without any penalty: the dual point must be orthogonal to them.
#pragma once
#include "kernels/cholesky.hpp"
#include "quadratic/quadratic.hpp"

namespace banditcd::elastic_net {

class FreeColumns {
 public:
  // Moves the unpenalized coefficients of a pool to their exact minimizer, so that the residual is
  // orthogonal to their columns. A few steps with a tiny ridge reach it even if those columns are
  // dependent.
  void project(const Quadratic& pool, Watch& watch);

 private:
  Cholesky factor_;
};

}  // namespace banditcd::elastic_net
