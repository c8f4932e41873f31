// Newton's step on the support without a pool Gram matrix: by a Gram matrix of the support alone,
// factored, or by conjugate gradients that read the columns, whichever the cost model says.
#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "quadratic/conjugate_gradients.hpp"
#include "quadratic/residual.hpp"
#include "solve/strategy.hpp"

namespace banditcd {
namespace {

constexpr double kGradientTolerance = 1e-4;
constexpr int kFreeRepeats = 4;  // a gradient smaller by kGradientTolerance each time
constexpr double kProjected[] = {1.0, 0.5, 0.25};
constexpr double kPivot = 1e-11;
constexpr double kRidge = 1e-7;      // relative to the diagonal, when a pivot failed
constexpr double kRankRidge = 1e-2;  // and where there are more columns than rows

}  // namespace

// change_ = s * (X direction), centered, for the free columns.
void ResidualSolver::combine(const ResidualProblem& problem, const double* direction,
                             Watch& watch) {
  const std::size_t n = problem.space->rows;
  const double* s = problem.space->weight;
  change_.assign(n, 0.0);
  problem.design->combine(columns_.data(), columns_.size(), direction, change_.data(), watch);
  double shift = 0.0;
  if (problem.space->centered)
    for (std::size_t t = 0; t < columns_.size(); ++t)
      shift += direction[t] * problem.facts->mean[columns_[t]];
  if (s != nullptr)
    for (std::size_t i = 0; i < n; ++i) change_[i] *= s[i];
  if (shift != 0.0)
    for (std::size_t i = 0; i < n; ++i) change_[i] -= shift * problem.space->weight_of_constant(i);
}

// An inexact Newton step on the support. Coordinates that would cross zero or a bound stop there,
// if that lowers the objective; if not, all of them stop where the first one does. Returns whether
// the step was a long one.
bool ResidualSolver::newton(const ResidualProblem& problem, Watch& watch) {
  free_.clear();
  columns_.clear();
  for (const Index t : active_) {
    const double x = problem.x[t];
    if (x == 0.0 || x <= problem.g[t].lower || x >= problem.g[t].upper) continue;
    free_.push_back(t);
    columns_.push_back(problem.column[t]);
  }
  if (free_.empty()) return false;
  gradient(problem, watch);
  if (!direct_pays(problem) || !solve_directly(problem, watch)) conjugate_gradients(problem, watch);
  stored_ = 0;
  for (const double t : kProjected)
    if (projected_step(problem, t, watch)) return true;
  cut_step(problem, watch);
  return false;
}

bool ResidualSolver::projected_step(const ResidualProblem& problem, double t, Watch& watch) {
  const std::size_t n = problem.space->rows;
  step_.resize(free_.size());
  double before = 0.5 * square(problem, problem.weighted), after = 0.0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const double x = problem.x[free_[k]];
    const Penalty& g = problem.g[free_[k]];
    double to = g.clip(x + t * direction_[k]);
    if (g.l > 0.0 && to * x < 0.0) to = 0.0;
    step_[k] = to - x;
    before += g.value(x);
    after += g.value(to);
  }
  combine(problem, step_.data(), watch);
  for (std::size_t i = 0; i < n; ++i) change_[i] = problem.weighted[i] - change_[i];
  if (!(after + 0.5 * square(problem, change_.data()) < before)) return false;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    double& x = problem.x[free_[k]];
    x = step_[k] == -x ? 0.0 : x + step_[k];
  }
  std::copy(change_.begin(), change_.end(), problem.weighted);
  return true;
}

void ResidualSolver::cut_step(const ResidualProblem& problem, Watch& watch) {
  double t = 1.0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const double x = problem.x[free_[k]], d = direction_[k];
    const Penalty& g = problem.g[free_[k]];
    if (x * d < 0.0 && g.l > 0.0) t = std::min(t, -x / d);
    if (d > 0.0) t = std::min(t, (g.upper - x) / d);
    if (d < 0.0) t = std::min(t, (g.lower - x) / d);
  }
  projected_step(problem, t, watch);
}

void ResidualSolver::gradient(const ResidualProblem& problem, Watch& watch) {
  gradient_.resize(free_.size());
  problem.design->correlate(columns_.data(), columns_.size(), problem.weighted, gradient_.data(),
                            watch);
  for (std::size_t t = 0; t < free_.size(); ++t) {
    const Penalty& g = problem.g[free_[t]];
    const double x = problem.x[free_[t]];
    gradient_[t] -= (x > 0.0 ? g.l : -g.l) + g.m * x;
  }
}

// One factorization, or at most gradient_steps products with X and its transpose.
bool ResidualSolver::direct_pays(const ResidualProblem& problem) const {
  const double p = static_cast<double>(free_.size());
  if (free_.size() > problem.gram_limit) return false;
  double entries = 0.0;
  for (const Index j : columns_) entries += static_cast<double>(problem.design->entries(j));
  const double entry = problem.design->sparse() ? 2.0 * kSparseEntry : kDenseEntry;
  return p * p * (kFactorShare * kCholesky * p / 6.0 + 0.5 * problem.design->gram_entry_cost()) <
         problem.gradient_steps * 2.0 * entry * entries;
}

bool ResidualSolver::solve_directly(const ResidualProblem& problem, Watch& watch) {
  const std::size_t p = free_.size();
  const bool full = p + (problem.space->centered ? 1 : 0) > problem.space->rows;
  // More columns than rows: a ridge makes progress in all of them, but only an unbounded step drops
  // the ones too many. Conjugate gradients give such a step, every other time.
  if (full && (ridge_before_ = !ridge_before_) == false) return false;
  for (const double ridge : {full ? kRankRidge : 0.0, kRidge}) {
    factor_.resize(p);
    problem.design->append_gram(*problem.space, problem.facts->mean.data(),
                                {columns_.data(), 0, p, factor_.row(0), factor_.stride()}, watch);
    for (std::size_t t = 0; t < p; ++t)
      factor_.row(t)[t] = factor_.row(t)[t] * (1.0 + ridge) + problem.g[free_[t]].m;
    if (!factor_.factor(kPivot, watch)) continue;
    direction_ = gradient_;
    factor_.solve(direction_.data());
    return std::all_of(direction_.begin(), direction_.end(),
                       [](double d) { return std::isfinite(d); });
  }
  return false;
}

// Solves H direction = -gradient roughly, preconditioned by the diagonal.
void ResidualSolver::conjugate_gradients(const ResidualProblem& problem, Watch& watch) {
  const std::size_t p = free_.size();
  LinearSystem system;
  system.size = p;
  system.inverse_diagonal.resize(p);
  for (std::size_t t = 0; t < p; ++t)
    system.inverse_diagonal[t] = 1.0 / (problem.facts->square[columns_[t]] + problem.g[free_[t]].m);
  system.apply = [&](const double* v, double* image) {
    combine(problem, v, watch);
    problem.design->correlate(columns_.data(), p, change_.data(), image, watch);
    for (std::size_t t = 0; t < p; ++t) image[t] += problem.g[free_[t]].m * v[t];
  };
  const auto size = [&](const double* residual) {
    double sum = 0.0;
    for (std::size_t t = 0; t < p; ++t)
      sum += system.inverse_diagonal[t] * residual[t] * residual[t];
    return sum;
  };
  const double enough = kGradientTolerance * kGradientTolerance * size(gradient_.data());
  const auto stop = [&](const Progress& progress) {
    return progress.products >= static_cast<std::size_t>(problem.gradient_steps) ||
           size(progress.residual) <= enough;
  };
  direction_.assign(p, 0.0);
  products_ += static_cast<int>(
      banditcd::conjugate_gradients(system, gradient_.data(), direction_.data(), stop));
}

void ResidualSolver::settle_free_columns(const ResidualProblem& problem, Watch& watch) {
  free_.clear();
  columns_.clear();
  for (std::size_t t = 0; t < problem.size; ++t) {
    const Penalty& g = problem.g[t];
    if (!g.free() || problem.x[t] <= g.lower || problem.x[t] >= g.upper) continue;
    free_.push_back(static_cast<Index>(t));
    columns_.push_back(problem.column[t]);
  }
  if (free_.empty()) return;
  step_.resize(free_.size());
  for (int repeat = 0; repeat < kFreeRepeats; ++repeat) {
    gradient(problem, watch);
    conjugate_gradients(problem, watch);
    for (std::size_t k = 0; k < free_.size(); ++k) {
      double& x = problem.x[free_[k]];
      const double to = problem.g[free_[k]].clip(x + direction_[k]);
      step_[k] = to - x;
      x = to;
    }
    combine(problem, step_.data(), watch);
    axpy(-1.0, change_.data(), problem.weighted, problem.space->rows);
  }
}

}  // namespace banditcd
