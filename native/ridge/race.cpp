// Conjugate gradients that carry a dual point along.
//
// Without a preconditioner and from w = 0, every iterate is w = Xc^T a for a vector a of the rows:
// directions and gradients are Xc^T of vectors q and rho that obey the same recursion, with X
// times the direction, which each step computes anyway. The dual point lambda a belongs to w
// exactly, and the gap of the pair is A = sum_i rho_i^2 / (2 s_i), rho = s r - lambda a, which is
// smaller than B = |gradient|^2 / (2 lambda), the gap of the dual point s r, by about the ratio of
// the eigenvalues to lambda. Between the two, lambda a + t rho has the gap (1 - t)^2 A + t^2 B: at
// the best t = A / (A + B) that is A B / (A + B).
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/vector.hpp"
#include "ridge/ridge.hpp"

namespace banditcd::ridge {
namespace {

// sum_i rho_i^2 / (2 s_i); rows without weight have rho = 0.
double pair_gap(const std::vector<double>& rho, const double* s) {
  double sum = 0.0;
  for (std::size_t i = 0; i < rho.size(); ++i)
    if (rho[i] != 0.0) sum += 0.5 * rho[i] * rho[i] / (s ? s[i] : 1.0);
  return sum;
}

// Whether the products left, at the mean speed so far, do not lead to the goal. In the second half
// a race is not given up: the way back has become longer than the way left.
bool too_slow(std::size_t products, double first, double gap, const RaceStop& stop) {
  if (products < stop.patience || 2 * products > stop.max_products) return false;
  const double speed = std::log(first / gap) / static_cast<double>(products);
  const double left = static_cast<double>(stop.max_products - products);
  return !(speed > 0.0) || std::log(gap / stop.gap) > left * speed;
}

}  // namespace

std::size_t ridge_race(const RidgeRows& rows, const RaceStop& stop, double* gradient, double* w,
                       const double* rho, double* dual, Watch& watch) {
  const std::size_t p = rows.X->cols(), n = rows.X->rows();
  const double* s = rows.weight;
  std::vector<double> direction(gradient, gradient + p), image(p), forward(n), left(rho, rho + n);
  std::vector<double> q(left);
  double square = dot(gradient, gradient, p), share = 0.0;  // t of the best dual point
  const auto best_gap = [&] {
    const double pair = pair_gap(left, s), own = square / (2.0 * stop.lambda);
    share = pair > 0.0 ? pair / (pair + own) : 0.0;
    return share * own;
  };
  const double first = best_gap();
  std::size_t products = 0;
  for (double gap = first; square > 0.0 && gap > stop.gap && products < stop.max_products;
       gap = best_gap()) {
    if (too_slow(products, first, gap, stop)) break;
    const double center = rows.mean ? dot(rows.mean, direction.data(), p) : 0.0;
    double sum = 0.0;
    rows.X->transform(
        direction.data(),
        [&](std::size_t at, std::size_t count, double* values) {
          for (std::size_t t = 0; t < count; ++t) {
            values[t] = (s ? s[at + t] : 1.0) * (values[t] - center);
            forward[at + t] = values[t];
            sum += values[t];
          }
        },
        image.data(), watch);
    ++products;
    if (rows.mean) axpy(-sum, rows.mean, image.data(), p);
    axpy(stop.lambda, direction.data(), image.data(), p);
    const double curvature = dot(direction.data(), image.data(), p);
    if (!(curvature > 0.0)) break;
    const double step = square / curvature;
    axpy(step, direction.data(), w, p);
    axpy(step, q.data(), dual, n);  // a, until the end
    axpy(-step, image.data(), gradient, p);
    axpy(-step, forward.data(), left.data(), n);
    axpy(-step * stop.lambda, q.data(), left.data(), n);
    const double next = dot(gradient, gradient, p), beta = next / square;
    square = next;
    for (std::size_t j = 0; j < p; ++j) direction[j] = gradient[j] + beta * direction[j];
    for (std::size_t i = 0; i < n; ++i) q[i] = left[i] + beta * q[i];
  }
  for (std::size_t i = 0; i < n; ++i) dual[i] = stop.lambda * dual[i] + share * left[i];
  return products;
}

}  // namespace banditcd::ridge
