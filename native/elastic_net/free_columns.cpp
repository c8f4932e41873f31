// Columns without any penalty: the dual point must be orthogonal to them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "elastic_net/solver.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kFreeRidge = 1e-9;
constexpr int kFreeSteps = 4;
constexpr double kFreeTolerance = 1e-12;
constexpr double kAboveAll = 1e200;  // a penalty that only the unpenalized columns survive

}  // namespace

bool RecordSolver::free_columns_orthogonal() const {
  const double* c = pool_.c();
  for (std::size_t t = 0; t < pool_.size(); ++t) {
    const std::size_t j = static_cast<std::size_t>(pool_.columns()[t]);
    const Penalty g = penalties_.at(j);
    if (g.l == 0.0 && g.hard(c[t]) &&
        std::abs(c[t]) > kOrthogonal * std::sqrt(facts_.square[j] * null_square_))
      return false;
  }
  return true;
}

// Moves the unpenalized coefficients to their exact minimizer, so that the residual is orthogonal
// to their columns. A few steps with a tiny ridge reach it even if those columns are dependent.
void RecordSolver::project_free_columns(Watch& watch) {
  Quadratic pool = pool_.problem();
  std::vector<std::size_t> free;
  for (std::size_t t = 0; t < pool.size; ++t)
    if (pool.g[t].free() && pool.x[t] > pool.g[t].lower && pool.x[t] < pool.g[t].upper)
      free.push_back(t);
  if (free.empty()) return;
  Cholesky& cholesky = free_factor_;
  double ridge = 0.0;
  for (;; ridge = std::max(kFreeRidge, 100.0 * ridge)) {
    cholesky.resize(free.size());
    for (std::size_t i = 0; i < free.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) cholesky.row(i)[j] = pool.row(free[i])[free[j]];
      cholesky.row(i)[i] = pool.curvature(free[i]) * (1.0 + ridge);
    }
    if (cholesky.factor(1e-13, watch) || ridge > 1.0) break;
  }
  std::vector<double> step(free.size());
  for (int repeat = 0; repeat < kFreeSteps; ++repeat) {
    for (std::size_t t = 0; t < free.size(); ++t) step[t] = pool.c[free[t]];
    cholesky.solve(step.data());
    for (std::size_t t = 0; t < free.size(); ++t) {
      const double to = pool.g[free[t]].clip(pool.x[free[t]] + step[t]);
      pool.move(free[t], to - pool.x[free[t]]);
    }
  }
}

// Unpenalized columns are fitted first: what counts is the residual they leave.
double RecordSolver::largest_penalty(const Limits& limits) {
  Watch watch(limits);
  penalties_ = {1.0, 0.0, data_.penalty_weight, data_.lower, data_.upper};
  pool_.set_penalties(penalties_);
  survey(watch);
  std::vector<double> correlation = facts_.correlation;
  const double* weight = data_.penalty_weight;
  if (weight && std::find(weight, weight + design_->cols(), 0.0) != weight + design_->cols()) {
    Limits exact = limits;
    exact.tol = kFreeTolerance;
    solve(kAboveAll, 0.0, exact);
    if (residual_stale_) refresh_residual(watch);
    std::vector<Index> all(design_->cols());
    std::iota(all.begin(), all.end(), 0);
    design_->correlate(all.data(), all.size(), weighted_.data(), correlation.data(), watch);
  }
  return largest_slope(correlation);
}

// The largest |<x_j, v>| over the penalty weights, of columns that may move that way.
double RecordSolver::largest_slope(const std::vector<double>& correlation) const {
  const double* weight = data_.penalty_weight;
  double largest = 0.0;
  for (const Index j : eligible_) {
    const double u = correlation[j];
    const bool open =
        u > 0.0 ? !(data_.upper && data_.upper[j] == 0.0) : !(data_.lower && data_.lower[j] == 0.0);
    const double scale = weight ? weight[j] : 1.0;
    if (open && scale > 0.0) largest = std::max(largest, std::abs(u) / scale);
  }
  return largest;
}

}  // namespace banditcd::elastic_net
