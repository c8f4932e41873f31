#include "smooth/ridge.hpp"

#include <algorithm>
#include <cmath>
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

namespace {

constexpr std::size_t kFirstLook = 3;  // products before a race is judged

// 1 / diag(Xc^T S Xc + lambda)
std::vector<double> inverse_diagonal(const RidgeRows& rows, double lambda, Watch& watch) {
  const double* s = rows.weight;
  std::vector<double> out(rows.X->cols());
  rows.X->squares(s, out.data(), watch);
  double total = 0.0;
  for (std::size_t i = 0; i < rows.X->rows(); ++i) total += s ? s[i] : 1.0;
  for (std::size_t j = 0; j < out.size(); ++j) {
    if (rows.mean) out[j] = std::max(out[j] - total * rows.mean[j] * rows.mean[j], 0.0);
    out[j] += lambda;
    out[j] = out[j] > 0.0 ? 1.0 / out[j] : 0.0;
  }
  return out;
}

// Whether the products left, at the mean speed so far, do not lead from square to the goal. In the
// second half a race is not given up: the way back has become longer than the way left.
bool too_slow(std::size_t products, double first, double square, const RidgeStop& stop) {
  if (products < kFirstLook || 2 * products > stop.max_products) return false;
  const double speed = std::log(first / square) / static_cast<double>(products);
  const double left = static_cast<double>(stop.max_products - products);
  return !(speed > 0.0) || std::log(square / stop.square) > left * speed;
}

}  // namespace

std::size_t ridge_conjugate_gradients(const RidgeRows& rows, const RidgeStop& stop,
                                      double* gradient, double* w, Watch& watch) {
  const std::size_t p = rows.X->cols();
  const double* s = rows.weight;
  LinearSystem system;
  system.size = p;
  system.inverse_diagonal = stop.race ? std::vector<double>(p, 1.0)  //
                                      : inverse_diagonal(rows, stop.lambda, watch);
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
  const double first = dot(gradient, gradient, p);
  const std::size_t products = conjugate_gradients(system, gradient, w, [&](const Progress& at) {
    const double square = dot(at.residual, at.residual, p);
    return at.products >= stop.max_products || square <= stop.square ||
           at.decrease >= stop.decrease ||
           (stop.race && too_slow(at.products, first, square, stop));
  });
  return products + (stop.race ? 0 : 1);
}

}  // namespace banditcd::smooth
