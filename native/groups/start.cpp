// The first pass over X, points given from outside, and the largest penalty.
#include <algorithm>
#include <cmath>

#include "groups/solver.hpp"
#include "solve/squares.hpp"
#include "solve/strategy.hpp"

namespace banditcd::groups {
void Solver::start(Watch& watch) {
  if (started_) return;
  const Unhurried first(watch);
  at_.loss->start();
  survey(watch);
  started_ = true;
}

// One pass for squares, means and, of a single task, all correlations.
void Solver::survey(Watch& watch) {
  const Rowspace space = Rowspace::unweighted(at_.design->rows(), at_.intercept);
  at_.facts.resize(at_.cols());
  const std::vector<double>& pull = at_.loss->pull();
  at_.design->survey(space, pull.data(), at_.facts, watch);
  at_.entries_read += static_cast<double>(at_.design->entries());
  const bool moved =
      at_.intercept && !at_.loss->quadratic() && at_.design.center_far_columns(at_.facts);
  if (moved) std::fill(at_.facts.mean.begin(), at_.facts.mean.end(), 0.0);
  check_columns(1.0, 0.0);
  at_.lazy.start(*at_.design, at_.tasks(), at_.facts.square);
  for (std::size_t g = 0; at_.tasks() == 1 && !moved && g < at_.layout.count(); ++g) {
    double square = 0.0;
    for (std::size_t i = 0; i < at_.layout.size(g); ++i) {
      const double u = at_.facts.correlation[at_.layout.columns(g)[i]];
      square += u * u;
    }
    at_.lazy.set_norm(g, std::sqrt(square), pull);
  }
}

// Whether the squares of the columns can be believed beside these penalties.
void Solver::check_columns(double l1, double l2) const {
  std::vector<double> weight(at_.cols());
  for (std::size_t g = 0; g < at_.layout.count(); ++g)
    for (std::size_t i = 0; i < at_.layout.size(g); ++i)
      weight[at_.layout.columns(g)[i]] = at_.layout.weight[g];
  check_squares(*at_.design, at_.facts.square, {l1, l2, weight.data(), nullptr, nullptr});
}

void Solver::set_point(const double* coef, const double* intercept, const Limits& limits) {
  Watch watch(limits);
  start(watch);
  std::copy(coef, coef + at_.coef.size(), at_.coef.begin());
  for (std::size_t g = 0; g < at_.layout.count(); ++g)
    for (std::size_t k = 0; !at_.lazy.eligible(g) && k < at_.tasks(); ++k)
      for (std::size_t i = 0; i < at_.layout.size(g); ++i)
        at_.coef[k * at_.cols() + at_.layout.columns(g)[i]] = 0.0;
  for (std::size_t g = 0; g < at_.layout.count(); ++g)
    if (at_.in_use(g) && !at_.pool.contains(g)) at_.pool.add(g);
  std::vector<double> predictor;
  at_.predict(at_.pool_coefficients(), predictor, watch);
  const double shift = at_.tasks() == 1 ? at_.design.shift(at_.coef) : 0.0;
  at_.loss->try_at(predictor, intercept ? intercept[0] + shift - at_.loss->intercept(0) : 0.0);
  at_.loss->accept();
  at_.forget();
}

// Groups without penalty are fitted first: what counts is the pull they leave.
double Solver::largest_penalty(const Limits& limits) {
  Watch watch(limits);
  start(watch);
  if (at_.loss->degenerate()) return 0.0;
  const Point before = here();
  Limits exact = limits;
  exact.tol = kFreeTolerance;
  const std::vector<double> null(at_.coef.size(), 0.0);
  if (at_.pool.size() > 0) set_point(null.data(), nullptr, limits);
  if (std::find(at_.layout.weight.begin(), at_.layout.weight.end(), 0.0) != at_.layout.weight.end())
    solve(kAboveAll, 0.0, exact);
  at_.lazy.pass(*at_.design, at_.loss->pull(), 0.0, [](std::size_t) { return false; }, watch);
  double largest = 0.0;
  for (const Index g : at_.lazy.evaluated())
    if (at_.layout.weight[g] > 0.0)
      largest = std::max(largest, at_.lazy.norm(g) / at_.layout.weight[g]);
  if (at_.pool.size() > 0) set_point(before.coef.data(), before.intercept.data(), limits);
  return largest;
}

}  // namespace banditcd::groups
