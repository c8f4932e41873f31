// Ridge regression, 1/2 sum_i s_i (y_i - b - x_i.w)^2 + lambda/2 |w|^2: residuals from the true
// data, and conjugate gradients. The direct regimes are put together by the caller.
#pragma once
#include <cstddef>

#include "smooth/row_matrix.hpp"

namespace banditcd::smooth {

struct RidgeRows {
  const RowMatrix* X = nullptr;
  const double* weight = nullptr;  // null: ones
  const double* mean = nullptr;    // weighted column means; null: no intercept
};

struct RidgeSums {
  double loss = 0.0;    // sum_i s_i r_i^2 / 2
  double excess = 0.0;  // sum_i s_i r_i, zero at the best intercept
};

// residual_i = y_i - b - x_i.w and correlation = X^T (s residual), in one reading of X.
RidgeSums ridge_residual(const RidgeRows& rows, const double* y, const double* w, double b,
                         double* residual, double* correlation, Watch& watch);

struct RidgeStop {
  double lambda, square;  // stop at |gradient|^2 <= square
  double decrease;        // or if the objective has gone down by so much
  std::size_t max_products;
  // Against a direct way: stop as soon as max_products look too few. Without a preconditioner, so
  // that the spectrum is that of the rows' Gram matrix.
  bool race;
};
// Improves w by conjugate gradients on (Xc^T S Xc + lambda) with the diagonal as preconditioner,
// Xc the centered rows. gradient = Xc^T S r - lambda w on entry, updated by recursion. Returns the
// readings of X.
std::size_t ridge_conjugate_gradients(const RidgeRows& rows, const RidgeStop& stop,
                                      double* gradient, double* w, Watch& watch);

}  // namespace banditcd::smooth
