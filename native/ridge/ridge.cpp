#include "ridge/ridge.hpp"

#include <algorithm>
#include <optional>

#include "kernels/vector.hpp"
#include "quadratic/conjugate_gradients.hpp"
#include "ridge/preconditioner.hpp"
#include "solve/limits.hpp"

namespace banditcd::ridge {

RidgeSums ridge_residual(const RidgeRows& rows, const RidgePoint& point, double* residual,
                         double* correlation, Watch& watch) {
  RidgeSums sums;
  const double* s = rows.weight;
  rows.X->transform(
      point.w,
      [&](std::size_t first, std::size_t count, double* values) {
        for (std::size_t t = 0; t < count; ++t) {
          const std::size_t i = first + t;
          const double r = point.y[i] - point.b - values[t];
          const double weighted = s ? s[i] * r : r;
          residual[i] = r;
          values[t] = point.dual ? point.dual[i] : weighted;
          sums.loss += 0.5 * weighted * r;
          sums.excess += weighted;
        }
      },
      correlation, watch);
  return sums;
}

void ridge_product(const RidgeRows& rows, double lambda, const double* v, double* forward,
                   double* out, Watch& watch) {
  const std::size_t p = rows.X->cols();
  const double* s = rows.weight;
  const double center = rows.mean ? dot(rows.mean, v, p) : 0.0;
  double sum = 0.0;
  rows.X->transform(
      v,
      [&](std::size_t first, std::size_t count, double* values) {
        for (std::size_t t = 0; t < count; ++t) {
          values[t] = (s ? s[first + t] : 1.0) * (values[t] - center);
          sum += values[t];
        }
        if (forward) std::copy_n(values, count, forward + first);
      },
      out, watch);
  if (rows.mean) axpy(-sum, rows.mean, out, p);
  axpy(lambda, v, out, p);
}

std::size_t ridge_conjugate_gradients(const RidgeRows& rows, const RidgeRows* heavy,
                                      const RidgeStop& stop, double* gradient, double* w,
                                      Watch& watch) {
  const std::size_t p = rows.X->cols();
  std::optional<RidgePreconditioner> preconditioner;
  LinearSystem system;
  system.size = p;
  if (stop.plain) {
    system.inverse_diagonal.assign(p, 1.0);
  } else {
    preconditioner.emplace(rows, heavy, stop.lambda, watch);
    system.precondition = [&](const double* r, double* out) {
      preconditioner->apply(r, out, watch);
    };
  }
  system.apply = [&](const double* v, double* out) {
    ridge_product(rows, stop.lambda, v, nullptr, out, watch);
  };
  std::size_t noted = 0;
  double least = kInfinity;  // |gradient| goes up and down
  const std::size_t read = stop.plain ? 0 : 1;
  return read + conjugate_gradients(system, gradient, w, [&](const Progress& at) {
           const double square = dot(at.residual, at.residual, p);
           if (stop.arms) {
             const double products = static_cast<double>(at.products - noted);
             least = std::min(least, square / stop.square);
             stop.arms->note(products * rows.X->pass_cost(), least);
             noted = at.products;
             if (stop.arms->overtaken()) return true;
           }
           return at.products >= stop.max_products || at.decrease >= stop.decrease ||
                  square <= stop.square;
         });
}

}  // namespace banditcd::ridge
