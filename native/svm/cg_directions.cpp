#include "svm/cg_directions.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "quadratic/conjugate_gradients.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

void CgDirections::add(const Changes& rows, double sign, Watch& watch) {
  problem_.rows->add_squares({rows.ids.data(), rows.amounts.data(), rows.size(), sign},
                             diagonal_.data(), watch);
}

// Zero, where the coordinate stays, for a free intercept without free rows: it has no curvature,
// and a share below `least` of the whole cost is what rounding left of rows that are free no
// longer.
std::vector<double> CgDirections::inverse_diagonal(double scale) const {
  constexpr double least = 1e-12;
  std::vector<double> out(diagonal_.size());
  const std::size_t penalized = problem_.penalized();
  for (std::size_t j = 0; j < out.size(); ++j) {
    const double entry = scale * std::max(diagonal_[j], 0.0);
    if (j < penalized)
      out[j] = 1.0 / (1.0 + entry);
    else
      out[j] = diagonal_[j] > least * problem_.total_cost() ? 1.0 / entry : 0.0;
  }
  return out;
}

bool CgDirections::direction(double scale, const std::vector<double>& g, std::vector<double>& d,
                             Watch& watch) {
  const std::size_t dim = g.size(), penalized = problem_.penalized();
  Changes free;
  for (std::size_t t = 0; t < problem_.size(); ++t)
    if (is_free_[t]) free.push(problem_.ids[t], problem_.cost(t));
  const Outer rows{free.ids.data(), free.amounts.data(), free.size(), scale};
  LinearSystem system;
  system.size = dim;
  system.inverse_diagonal = inverse_diagonal(scale);
  system.apply = [&](const double* v, double* out) {
    std::copy_n(v, penalized, out);
    std::fill(out + penalized, out + dim, 0.0);
    problem_.rows->add_curvature(rows, v, out, watch);
  };
  std::vector<double> residual(dim);
  for (std::size_t j = 0; j < dim; ++j) residual[j] = -g[j];
  std::fill(d.begin(), d.end(), 0.0);
  // A residual whose gap is a quarter of the target is small enough.
  const double start = std::sqrt(dot(g.data(), g.data(), dim));
  const double goal = std::max(kCgShare * start, 0.5 * std::sqrt(2.0 * target_));
  conjugate_gradients(system, residual.data(), d.data(), [&](const Progress& at) {
    if (at.products == 0) return false;
    return std::sqrt(dot(at.residual, at.residual, dim)) <= goal || at.products >= dim + kCgSpare ||
           problem_.rows->stored().entries_read() > entries_;
  });
  for (double& x : d) x *= kCgReach;
  return true;
}

}  // namespace banditcd::svm
