// An approximate inverse of Xc^T S Xc + lambda for conjugate gradients.
//
// The diagonal E of the sum over most rows, and a few heavy rows with all their products,
//     M = E + sum_heavy s_i (x_i - mean)(x_i - mean)^T,
// inverted by the Woodbury identity: a factor as large as the number of heavy rows. A row much
// longer than the others is an eigenvector nearly by itself; a diagonal spreads it over all its
// columns, and scales these as if every row were so long.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "ridge/ridge.hpp"

namespace banditcd::ridge {

class RidgePreconditioner {
 public:
  // heavy: rows that are among the others, with the same means; null: none.
  RidgePreconditioner(const RidgeRows& rows, const RidgeRows* heavy, double lambda, Watch& watch);
  // out = M^-1 r
  void apply(const double* r, double* out, Watch& watch);

 private:
  void find_diagonal(const RidgeRows& rows, double lambda, Watch& watch);
  void find_factor(Watch& watch);

  const RidgeRows* heavy_;
  std::vector<double> inverse_;  // of E; zeros where there is nothing
  Cholesky factor_;
  std::vector<double> along_, back_;
};

}  // namespace banditcd::ridge
