// Ridge regression, 1/2 sum_i s_i (y_i - b - x_i.w)^2 + lambda/2 |w|^2: residuals from the true
// data, and conjugate gradients. The direct regimes are put together by the caller.
#pragma once
#include <cstddef>

#include "rows/row_matrix.hpp"
#include "solve/arms.hpp"

namespace banditcd::ridge {

struct RidgeRows {
  const RowMatrix* X = nullptr;
  const double* weight = nullptr;  // null: ones
  const double* mean = nullptr;    // weighted column means; null: no intercept
};

struct RidgeSums {
  double loss = 0.0;    // sum_i s_i r_i^2 / 2
  double excess = 0.0;  // sum_i s_i r_i, zero at the best intercept
};

struct RidgePoint {
  const double* y = nullptr;
  const double* w = nullptr;
  double b = 0.0;
  const double* dual = nullptr;  // null: s residual
};
// residual_i = y_i - b - x_i.w and correlation = X^T dual, in one reading of X.
RidgeSums ridge_residual(const RidgeRows& rows, const RidgePoint& point, double* residual,
                         double* correlation, Watch& watch);

// out = (Xc^T S Xc + lambda) v, Xc the centered rows, in one reading of X; forward = S Xc v, if it
// is not null.
void ridge_product(const RidgeRows& rows, double lambda, const double* v, double* forward,
                   double* out, Watch& watch);

struct SmallFit {
  bool done = false;  // proved; else w is not to be used
  double intercept = 0.0, primal = 0.0, gap = 0.0;
  double null = 0.0;  // the loss of the best constant
  int steps = 0;
};
// Minimizes for lambda > 0 on few columns, w as exact as a direct method makes it, or until the gap
// is at most `enough` times the null model's loss.
SmallFit small_ridge(const RidgeRows& rows, const double* y, double lambda, double enough,
                     double* w, Watch& watch);

struct RidgeStop {
  double lambda, square;  // stop at |gradient|^2 <= square
  double decrease;        // or if the objective has gone down by this
  std::size_t max_products;
  bool plain = false;    // no preconditioner
  Arms* arms = nullptr;  // or if another arm has overtaken this one
};
// Improves w by conjugate gradients on (Xc^T S Xc + lambda), Xc the centered rows, with the
// diagonal and the heavy rows (null: none) as preconditioner, unless they are plain. gradient =
// Xc^T S r - lambda w on entry, updated by recursion. Returns the readings of X.
std::size_t ridge_conjugate_gradients(const RidgeRows& rows, const RidgeRows* heavy,
                                      const RidgeStop& stop, double* gradient, double* w,
                                      Watch& watch);

struct RaceStop {
  double lambda, gap;  // stop at a gap of (w, dual) of at most this
  double reduction;    // and at this share of the first |rho|
  std::size_t max_products;
  Arms& arms;    // asked after each product whether to go on, its target being 1
  bool rounded;  // products may read a copy of X in single precision
};
// Conjugate gradients from w = 0, without a preconditioner but with a dual point, zero on entry;
// gives up as soon as another arm promises more. rho = s r on entry. Returns the readings of X.
std::size_t ridge_race(const RidgeRows& rows, const RaceStop& stop, double* gradient, double* w,
                       const double* rho, double* dual, Watch& watch);

}  // namespace banditcd::ridge
