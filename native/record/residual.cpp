#include "record/residual.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "record/anderson.hpp"
#include "record/cost_model.hpp"

namespace banditcd::record {
namespace {

constexpr int kMaxEpochs = 5000;
constexpr int kGapPeriod = 10;      // epochs between two looks at the pool
constexpr int kNewtonPeriod = 20;   // epochs between two tries of conjugate gradients
constexpr int kGradientSteps = 60;  // conjugate gradient steps per try
constexpr double kGradientTolerance = 1e-4;

}  // namespace

void ResidualSolver::solve(const ResidualProblem& problem, double target, Watch& watch) {
  choose_active(problem);
  stored_ = 0;
  bool signs_changed = true;
  for (int epoch = 1; epoch <= kMaxEpochs; ++epoch) {
    signs_changed = sweep_active(problem, watch);
    ++epochs_;
    watch.check();
    extrapolate(problem);
    if (epoch % kNewtonPeriod == 0 && !signs_changed) newton(problem, watch);
    if (epoch % kGapPeriod != 0) continue;
    if (pool_gap(problem, watch) <= target) return;
    choose_active(problem);
    stored_ = 0;
  }
}

void ResidualSolver::choose_active(const ResidualProblem& problem) {
  active_.clear();
  for (std::size_t t = 0; t < problem.size; ++t)
    if (problem.x[t] != 0.0 || problem.g[t].excess(problem.c[t]) > 0.0)
      active_.push_back(static_cast<Index>(t));
}

bool ResidualSolver::sweep_active(const ResidualProblem& problem, Watch& watch) {
  ColumnSweep request;
  request.column = problem.column;
  request.position = active_.data();
  request.count = active_.size();
  request.g = problem.g;
  request.x = problem.x;
  request.weighted = problem.weighted;
  return problem.design->sweep(*problem.space, *problem.facts, request, watch);
}

// |R|^2 from s * R; rows of weight zero have no part in it.
double ResidualSolver::square(const ResidualProblem& problem, const double* weighted) const {
  const std::size_t n = problem.space->rows;
  const double* s = problem.space->weight;
  if (s == nullptr) return dot(weighted, weighted, n);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    if (s[i] > 0.0) sum += weighted[i] * weighted[i] / s[i];
  return sum;
}

double ResidualSolver::objective(const ResidualProblem& problem, const double* x_active,
                                 const double* weighted) const {
  double sum = 0.5 * square(problem, weighted);
  for (std::size_t t = 0; t < active_.size(); ++t) sum += problem.g[active_[t]].value(x_active[t]);
  return sum;
}

double ResidualSolver::pool_gap(const ResidualProblem& problem, Watch& watch) {
  problem.design->correlate(problem.column, problem.size, problem.weighted, problem.c, watch);
  terms_.clear();
  for (std::size_t t = 0; t < problem.size; ++t)
    if (problem.x[t] != 0.0 || std::abs(problem.c[t]) >= kNearThreshold * problem.g[t].l)
      terms_.push_back({problem.x[t], problem.c[t], problem.g[t]});
  return certify(terms_, square(problem, problem.weighted)).gap;
}

// Anderson extrapolation of the pair (x, s R), which moves affinely.
void ResidualSolver::extrapolate(const ResidualProblem& problem) {
  const std::size_t n = problem.space->rows, m = active_.size();
  std::vector<double>& x = history_x_[stored_];
  x.resize(m);
  for (std::size_t t = 0; t < m; ++t) x[t] = problem.x[active_[t]];
  history_v_[stored_].assign(problem.weighted, problem.weighted + n);
  if (++stored_ <= kMemory) return;
  stored_ = 0;
  double z[kMemory];
  if (!anderson_weights(history_x_, m, z)) return;
  trial_x_.assign(m, 0.0);
  trial_v_.assign(n, 0.0);
  for (std::size_t k = 0; k < kMemory; ++k) {
    axpy(z[k], history_x_[k + 1].data(), trial_x_.data(), m);
    axpy(z[k], history_v_[k + 1].data(), trial_v_.data(), n);
  }
  for (std::size_t t = 0; t < m; ++t)
    if (trial_x_[t] != problem.g[active_[t]].clip(trial_x_[t])) return;
  if (!(objective(problem, trial_x_.data(), trial_v_.data()) <
        objective(problem, history_x_[kMemory].data(), problem.weighted)))
    return;
  for (std::size_t t = 0; t < m; ++t) problem.x[active_[t]] = trial_x_[t];
  std::copy(trial_v_.begin(), trial_v_.end(), problem.weighted);
}

// image = H direction on the free columns; change_ = s * (X direction), centered.
void ResidualSolver::apply(const ResidualProblem& problem, const std::vector<double>& direction,
                           std::vector<double>& image, Watch& watch) {
  const std::size_t n = problem.space->rows;
  const double* s = problem.space->weight;
  change_.assign(n, 0.0);
  problem.design->combine(columns_.data(), columns_.size(), direction.data(), change_.data(),
                          watch);
  double shift = 0.0;
  if (problem.space->centered)
    for (std::size_t t = 0; t < columns_.size(); ++t)
      shift += direction[t] * problem.facts->mean[columns_[t]];
  if (s != nullptr || shift != 0.0)
    for (std::size_t i = 0; i < n; ++i) change_[i] = (s ? s[i] : 1.0) * (change_[i] - shift);
  image.resize(columns_.size());
  problem.design->correlate(columns_.data(), columns_.size(), change_.data(), image.data(), watch);
  for (std::size_t t = 0; t < columns_.size(); ++t)
    image[t] += problem.g[free_[t]].m * direction[t];
}

// An inexact Newton step on the support, cut where a sign or a bound would be crossed.
void ResidualSolver::newton(const ResidualProblem& problem, Watch& watch) {
  free_.clear();
  columns_.clear();
  for (const Index t : active_) {
    const double x = problem.x[t];
    if (x == 0.0 || x <= problem.g[t].lower || x >= problem.g[t].upper) continue;
    free_.push_back(t);
    columns_.push_back(problem.column[t]);
  }
  if (free_.empty()) return;
  conjugate_gradients(problem, watch);
  apply(problem, direction_, image_, watch);  // leaves s * (X direction) in change_
  double t = 1.0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const double x = problem.x[free_[k]], d = direction_[k];
    const Penalty& g = problem.g[free_[k]];
    if (x * d < 0.0 && g.l > 0.0) t = std::min(t, -x / d);
    if (d > 0.0) t = std::min(t, (g.upper - x) / d);
    if (d < 0.0) t = std::min(t, (g.lower - x) / d);
  }
  step_along(problem, t);
  stored_ = 0;
}

// Solves H direction = -gradient roughly, preconditioned by the diagonal.
void ResidualSolver::conjugate_gradients(const ResidualProblem& problem, Watch& watch) {
  const std::size_t p = free_.size();
  gradient_.resize(p);
  problem.design->correlate(columns_.data(), p, problem.weighted, gradient_.data(), watch);
  for (std::size_t t = 0; t < p; ++t) {
    const Penalty& g = problem.g[free_[t]];
    const double x = problem.x[free_[t]];
    gradient_[t] -= (x > 0.0 ? g.l : -g.l) + g.m * x;
  }
  std::vector<double> scaled(p), search;
  const auto precondition = [&] {
    double product = 0.0;
    for (std::size_t t = 0; t < p; ++t) {
      scaled[t] = gradient_[t] / (problem.facts->square[columns_[t]] + problem.g[free_[t]].m);
      product += scaled[t] * gradient_[t];
    }
    return product;
  };
  direction_.assign(p, 0.0);
  double rho = precondition();
  const double enough = kGradientTolerance * kGradientTolerance * rho;
  search = scaled;
  for (int step = 0; step < kGradientSteps && rho > enough; ++step) {
    apply(problem, search, image_, watch);
    const double curvature = dot(search.data(), image_.data(), p);
    if (!(curvature > 0.0)) break;
    axpy(rho / curvature, search.data(), direction_.data(), p);
    axpy(-rho / curvature, image_.data(), gradient_.data(), p);
    const double next = precondition();
    for (std::size_t t = 0; t < p; ++t) search[t] = scaled[t] + next / rho * search[t];
    rho = next;
  }
}

void ResidualSolver::step_along(const ResidualProblem& problem, double t) {
  for (std::size_t k = 0; k < free_.size(); ++k) {
    double& x = problem.x[free_[k]];
    const double next = problem.g[free_[k]].clip(x + t * direction_[k]);
    x = std::abs(next) <= 1e-14 * std::abs(x) ? 0.0 : next;
  }
  axpy(-t, change_.data(), problem.weighted, problem.space->rows);
}

}  // namespace banditcd::record
