#include "quadratic/newton.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "kernels/vector.hpp"

namespace banditcd {
namespace {

constexpr double kRoughRidge = 3e-5;  // lifts every pivot above those that are too rough
constexpr double kRidge = 1e-7;       // relative to the diagonal, when a pivot failed
constexpr std::size_t kRidgeUpdates = 8;
constexpr double kStepEpochs = 2.0;  // what the steps after the solve take, in epochs
constexpr std::size_t kLongestWait = 8;
constexpr double kRoundoff = 1e-16;  // a predicted decrease below this share is not real
constexpr double kBlocked = 1e-3;    // of the way to the minimizer
constexpr double kProjected[] = {1.0, 0.5, 0.25};

double sign(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0); }

// Whether a coordinate is where a step along a ray may leave it: at zero or at a bound.
bool rests(const Quadratic& problem, std::size_t j) {
  const double x = problem.x[j];
  return x == 0.0 || x == problem.g[j].lower || x == problem.g[j].upper;
}

}  // namespace

// Coordinates that may move, the descent direction's right-hand side, and the interval on which
// the objective stays smooth: one side of zero, cut by the bounds.
void Newton::collect(const Quadratic& problem) {
  free_.clear();
  gradient_.clear();
  low_.clear();
  high_.clear();
  for (std::size_t j = 0; j < problem.size; ++j) {
    const Penalty& g = problem.g[j];
    const double x = problem.x[j];
    if (x == 0.0 && g.l > 0.0) continue;
    const double push = problem.c[j] - g.l * sign(x) - g.m * x;
    if ((x >= g.upper && push >= 0.0) || (x <= g.lower && push <= 0.0)) continue;
    free_.push_back(j);
    gradient_.push_back(push);
    const bool one_side = g.l > 0.0;
    low_.push_back(one_side && x > 0.0 ? 0.0 : g.lower);
    high_.push_back(one_side && x < 0.0 ? 0.0 : g.upper);
  }
}

double Newton::cost(const Quadratic& problem, std::size_t support) const {
  const double p = static_cast<double>(support), m = static_cast<double>(problem.size);
  return factor_.cost(support, factor_.changes(problem, support)) +
         kEpochEntry * p * (p + kStepEpochs * m);
}

// A factor with a ridge serves for a few changes of the support before a plain one is tried again.
bool Newton::solve(const Quadratic& problem, std::size_t max_rank, Watch& watch) {
  const double ridge = problem.rough ? kRoughRidge : kRidge;
  const auto squared = [&](std::size_t t) { return problem.g[t].m > 0.0; };
  const std::size_t helped = std::count_if(free_.begin(), free_.end(), squared);
  const bool dependent = free_.size() - helped > max_rank;
  const bool keep = factor_.ridged() && factor_.updates() < kRidgeUpdates;
  if ((dependent || keep || !factor_.factor(problem, free_, 0.0, watch)) &&
      !factor_.factor(problem, free_, ridge, watch))
    return false;
  direction_ = gradient_;
  factor_.solve(direction_);
  return std::all_of(direction_.begin(), direction_.end(),
                     [](double d) { return std::isfinite(d); });
}

Newton::Outcome Newton::step(const Quadratic& problem, std::size_t max_rank, Watch& watch) {
  blocked_ = false;
  collect(problem);
  if (free_.empty()) return Outcome::kOptimal;
  if (!solve(problem, max_rank, watch))
    return problem.rough ? Outcome::kTooRough : Outcome::kFailed;
  const double objective = problem.objective();
  const double predicted = 0.5 * dot(direction_.data(), gradient_.data(), free_.size());
  const bool visible = predicted > kRoundoff * (problem.square + std::abs(objective));
  // Also where the objective cannot show it: the gap is of first order in the gradient.
  if (full_step_fits(problem)) {
    for (std::size_t t = 0; t < free_.size(); ++t) problem.move(free_[t], direction_[t]);
    return visible ? Outcome::kExact : Outcome::kOptimal;
  }
  if (!visible) return Outcome::kOptimal;
  save(problem);
  if (projected(problem, objective)) return Outcome::kProgress;
  return ray_step(problem, objective) ? Outcome::kProgress : Outcome::kFailed;
}

bool Newton::full_step_fits(const Quadratic& problem) const {
  for (std::size_t t = 0; t < free_.size(); ++t) {
    const double x = problem.x[free_[t]] + direction_[t];
    if (x < low_[t] || x > high_[t]) return false;
  }
  return true;
}

// Where projected steps keep failing they are tried less and less often.
bool Newton::projected(const Quadratic& problem, double objective) {
  if (wait_ > 0) {
    --wait_;
    return false;
  }
  for (const double t : kProjected)
    if (projected_step(problem, t, objective)) {
      next_wait_ = 0;
      return true;
    }
  wait_ = next_wait_;
  next_wait_ = std::min(2 * next_wait_ + 1, kLongestWait);
  return false;
}

bool Newton::projected_step(const Quadratic& problem, double t, double objective) {
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const std::size_t j = free_[k];
    const double to = std::min(std::max(problem.x[j] + t * direction_[k], low_[k]), high_[k]);
    if (to == problem.x[j]) continue;
    axpy(problem.x[j] - to, problem.row(j), problem.c, problem.size);
    problem.x[j] = to;
  }
  if (problem.objective() < objective) return true;
  restore(problem);
  return false;
}

// Where the convex, piecewise quadratic objective along x + t d is smallest on [0, 1].
double Newton::ray_minimizer(const Quadratic& problem, double curvature, std::size_t& stops_at) {
  breaks_.clear();
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const Penalty& g = problem.g[free_[k]];
    const double x = problem.x[free_[k]], d = direction_[k];
    if (g.l > 0.0 && x * d < 0.0 && -x / d < 1.0)
      breaks_.push_back({-x / d, 2.0 * g.l * std::abs(d), k});
    const double room = d > 0.0 ? (g.upper - x) / d : (d < 0.0 ? (g.lower - x) / d : kInfinity);
    if (room < 1.0) breaks_.push_back({room, kInfinity, k});
  }
  std::sort(breaks_.begin(), breaks_.end(),
            [](const Break& a, const Break& b) { return a.t < b.t; });
  double slope = -dot(direction_.data(), gradient_.data(), free_.size());
  for (const Break& b : breaks_) {
    if (slope + curvature * b.t >= 0.0) break;
    if (slope + b.slope + curvature * b.t >= 0.0) {
      stops_at = b.place;
      return b.t;
    }
    slope += b.slope;
  }
  stops_at = free_.size();
  return curvature > 0.0 ? std::min(-slope / curvature, 1.0) : 1.0;
}

bool Newton::ray_step(const Quadratic& problem, double objective) {
  image_.assign(problem.size, 0.0);
  double curvature = 0.0;
  for (std::size_t k = 0; k < free_.size(); ++k)
    axpy(direction_[k], problem.row(free_[k]), image_.data(), problem.size);
  for (std::size_t k = 0; k < free_.size(); ++k)
    curvature += direction_[k] * (image_[free_[k]] + problem.g[free_[k]].m * direction_[k]);
  std::size_t stops_at = free_.size();
  const double t = ray_minimizer(problem, curvature, stops_at);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    double& x = problem.x[free_[k]];
    const double next = problem.g[free_[k]].clip(x + t * direction_[k]);
    // The coordinate the search stopped at lands on zero (or its bound) exactly.
    x = k == stops_at && std::abs(next) <= 1e-12 * std::abs(x) ? 0.0 : next;
  }
  axpy(-t, image_.data(), problem.c, problem.size);
  if (problem.objective() < objective) {
    blocked_ = t < kBlocked && stops_at < free_.size() && rests(problem, free_[stops_at]);
    return true;
  }
  restore(problem);
  return false;
}

void Newton::save(const Quadratic& problem) {
  saved_x_.assign(problem.x, problem.x + problem.size);
  saved_c_.assign(problem.c, problem.c + problem.size);
}

void Newton::restore(const Quadratic& problem) const {
  std::copy(saved_x_.begin(), saved_x_.end(), problem.x);
  std::copy(saved_c_.begin(), saved_c_.end(), problem.c);
}

}  // namespace banditcd
