#include "smooth/ridge.hpp"

#include <algorithm>
#include <vector>

#include "kernels/vector.hpp"
#include "smooth/conjugate_gradients.hpp"

namespace banditcd::smooth {

RidgeSums ridge_residual(const RidgeRows& rows, const double* y, const double* w, double b,
                         double* residual, double* correlation, Watch& watch) {
  RidgeSums sums;
  const double* s = rows.weight;
  rows.X->transform(
      w,
      [&](std::size_t first, std::size_t count, double* values) {
        for (std::size_t t = 0; t < count; ++t) {
          const std::size_t i = first + t;
          const double r = y[i] - b - values[t];
          const double weighted = s ? s[i] * r : r;
          residual[i] = r;
          values[t] = weighted;
          sums.loss += 0.5 * weighted * r;
          sums.excess += weighted;
        }
      },
      correlation, watch);
  return sums;
}

std::size_t ridge_conjugate_gradients(const RidgeRows& rows, const RidgeStop& stop,
                                      double* gradient, double* w, Watch& watch) {
  const std::size_t p = rows.X->cols();
  const double* s = rows.weight;
  LinearSystem system;
  system.size = p;
  system.inverse_diagonal.resize(p);
  rows.X->squares(s, system.inverse_diagonal.data(), watch);
  double total = 0.0;
  for (std::size_t i = 0; i < rows.X->rows(); ++i) total += s ? s[i] : 1.0;
  for (std::size_t j = 0; j < p; ++j) {
    double& entry = system.inverse_diagonal[j];
    if (rows.mean) entry = std::max(entry - total * rows.mean[j] * rows.mean[j], 0.0);
    entry += stop.lambda;
    entry = entry > 0.0 ? 1.0 / entry : 0.0;
  }
  system.apply = [&](const double* v, double* out) {
    const double center = rows.mean ? dot(rows.mean, v, p) : 0.0;
    double sum = 0.0;
    rows.X->transform(
        v,
        [&](std::size_t first, std::size_t count, double* values) {
          for (std::size_t t = 0; t < count; ++t) {
            values[t] = (s ? s[first + t] : 1.0) * (values[t] - center);
            sum += values[t];
          }
        },
        out, watch);
    if (rows.mean) axpy(-sum, rows.mean, out, p);
    axpy(stop.lambda, v, out, p);
  };
  return 1 + conjugate_gradients(system, gradient, w, [&](std::size_t iteration, const double* g) {
           return iteration >= stop.max_products || dot(g, g, p) <= stop.square;
         });
}

}  // namespace banditcd::smooth
