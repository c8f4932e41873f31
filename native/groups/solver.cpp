// The algorithm: bins of lazy pass, certificate, marginal decreases and an inner solve.
#include "groups/solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "groups/strategy.hpp"
#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "quadratic/idleness.hpp"
#include "solve/strategy.hpp"

namespace banditcd::groups {
namespace {

constexpr int kBinsWithout = 5;  // bins without progress before rounding is to blame
constexpr double kProgress = 0.9, kRounding = 1e-13;
constexpr double kMorePrecise = 0.1;
// Along many correlated columns with hardly any penalty epochs creep, and Newton steps change the
// blocks in use: bins that neither halve the gap nor lower the objective by a share of it, at most.
constexpr double kIdleBins = 15.0, kIdleShare = 0.02;
// Bins without a Gram matrix read X over and over: one counts as many as it has such passes.
constexpr double kPassesInABin = 500.0;

// Without a dual point, as beside blocks without penalty, the lower objective counts.
bool better(const Certificate& found, const Certificate& best) {
  return found.gap < best.gap || (found.gap == best.gap && found.primal < best.primal);
}

}  // namespace

Solver::Solver(Data data, Layout layout, std::size_t pool_bytes)
    : at_(std::move(data), std::move(layout)), steps_(at_, pool_bytes) {}

// Main loop: bins until the certificate holds, or nothing improves any more.
Status Solver::solve_at(double target, const Limits& limits, Report& report, Watch& watch) {
  double precision = 1.0, primal = kInfinity;
  Idleness idleness(kIdleBins, kIdleShare);
  const double entries = std::max<double>(1.0, static_cast<double>(at_.design->entries()));
  for (int without = 0;; ++report.iterations) {
    // 1. Lazy pass: correlations of the blocks that may violate; the others are proven inactive.
    lazy_pass(report.iterations == 0, watch);
    // 2. Certificate: the pulls, scaled to be feasible, are a dual point.
    const Certificate found = at_.certify(true);
    const bool lower = found.primal < (1.0 - kRounding) * primal;
    without = lower || found.gap < kProgress * report.certificate.gap ? 0 : without + 1;
    if (report.iterations == 0 || better(found, report.certificate)) {
      report.certificate = found;
      best_ = here();
    }
    primal = std::min(primal, found.primal);
    if (report.accepted()) return Status::kConverged;
    if (without > kBinsWithout) return Status::kStalled;
    if (idleness.over({found.primal, report.certificate.gap})) return Status::kStalled;
    if (without > 0) precision *= kMorePrecise;
    if (static_cast<double>(report.iterations) >= limits.max_iter) return Status::kMaxIter;
    watch.check();
    // 3. Pool: the violators with the largest marginal decreases enter.
    if (!at_.loss->quadratic()) keep_blocks_in_use();
    const bool entering = enter();
    report.pool_size = std::max(report.pool_size, at_.pool.size());
    // 4. Inner solve on the pool.
    const double read = at_.entries_read;
    steps_.improve(precision * found.gap, precision * target, entering, watch);
    idleness.spend(std::max(1.0, (at_.entries_read - read) / (kPassesInABin * entries)));
  }
}

Report Solver::solve(double l1, double l2, const Limits& limits) {
  Watch watch(limits);
  Report report;
  at_.entries_read = 0.0;
  const std::size_t epochs = steps_.inner().epochs(), newtons = steps_.inner().newtons();
  steps_.restart();
  try {
    start(watch);
    report.target = limits.tol * at_.loss->null_value();
    best_ = here();
    if (at_.loss->degenerate()) {
      report.status = Status::kConverged;
      report.certificate = {at_.loss->value(), at_.loss->value(), 0.0};
    } else {
      if (l1 == 0.0 && l2 == 0.0) check_columns(l1, l2);
      at_.set_penalties(l1, l2);
      report.pool_size = at_.pool.size();
      report.status = solve_at(report.target, limits, report, watch);
    }
  } catch (const Stopped& stop) {
    report.status = status_of(stop);
  }
  report.epochs = steps_.inner().epochs() - epochs;
  report.newtons = steps_.inner().newtons() - newtons;
  finish(report, watch);
  return report;
}

void Solver::finish(Report& report, const Watch& watch) const {
  report.regime = report.pool_size == 0 ? "null" : steps_.on_residual() ? "residual" : "pool";
  report.seconds = watch.seconds();
  report.passes =
      at_.entries_read / std::max<double>(1.0, static_cast<double>(at_.design->entries()));
  report.support = best_.coef.size() -
                   static_cast<std::size_t>(std::count(best_.coef.begin(), best_.coef.end(), 0.0));
  report.complete(best_.intercept.empty() ? 0.0 : best_.intercept[0]);
}

Solver::Point Solver::here() const {
  Point out{at_.coef, std::vector<double>(at_.tasks(), 0.0)};
  for (std::size_t k = 0; at_.intercept && k < at_.tasks(); ++k)
    out.intercept[k] =
        at_.loss->intercept(k) - (at_.tasks() == 1 ? at_.design.shift(at_.coef) : 0.0);
  return out;
}

void Solver::coefficients(double* out) const {
  std::copy(best_.coef.begin(), best_.coef.end(), out);
}

void Solver::intercepts(double* out) const {
  std::copy(best_.intercept.begin(), best_.intercept.end(), out);
}

// The first one is finished whatever the deadline: without it there is no point to report.
void Solver::lazy_pass(bool first, Watch& watch) {
  std::optional<Unhurried> unhurried;
  if (first) unhurried.emplace(watch);
  if (!at_.fresh) at_.correlate_pool(watch);
  at_.entries_read += at_.lazy.pass(
      *at_.design, at_.loss->pull(), at_.l1, [&](std::size_t g) { return at_.pool.contains(g); },
      watch);
}

// A matrix that is computed anew in every step grows by the square of what it is not used for.
void Solver::keep_blocks_in_use() {
  std::vector<std::size_t> kept;
  for (std::size_t t = 0; t < at_.pool.blocks(); ++t) {
    double square = 0.0;
    for (std::size_t i = at_.pool.first(t); i < at_.pool.first(t) + at_.pool.width(t); ++i)
      square += at_.c[i] * at_.c[i];
    at_.lazy.set_norm(at_.pool.block(t), std::sqrt(square), at_.loss->pull());
    if (at_.in_use(at_.pool.block(t)) || std::sqrt(square) >= at_.pool.penalty(t).l)
      kept.push_back(at_.pool.block(t));
  }
  if (kept.size() == at_.pool.blocks()) return;
  at_.pool.clear();
  for (const std::size_t g : kept) at_.pool.add(g);
  at_.pool.set_penalties(at_.l1, at_.l2);
  at_.fresh = false;
}

// Whether most blocks will be used, so that a pool growing towards them by and by only adds passes
// and epochs: a block of noise has a correlation of about |X_g| |rho| / sqrt(n). Correlated columns
// stand in for each other, and fewer are used; and what is computed anew for every quadratic model
// of a loss should not grow early.
bool Solver::crowded() const {
  if (!at_.loss->quadratic() || at_.pool.blocks() > 0) return false;
  if (at_.design->rows() < kTall * at_.cols()) return false;
  const std::vector<double>& pull = at_.loss->pull();
  const double whole = dot(pull.data(), pull.data(), pull.size());
  const double noise = std::sqrt(whole / static_cast<double>(at_.design->rows()));
  double explained = 0.0;
  std::size_t passing = 0;
  for (const Index g : at_.lazy.evaluated()) {
    const double square = at_.lazy.square()[g], norm = at_.lazy.norm(g);
    explained += norm * norm * static_cast<double>(at_.layout.size(g)) / square;
    const double threshold = penalty_of(at_.layout, g, at_.l1, at_.l2).l;
    passing += noise * std::sqrt(square) > kCrowded * threshold ? 1 : 0;
  }
  return explained < kNearlyOrthogonal * whole && 3 * passing > 2 * at_.layout.count();
}

bool Solver::enter() {
  const bool all = crowded();
  std::vector<Index> violators;
  std::vector<double> gain(at_.layout.count());
  for (const Index g : at_.lazy.evaluated()) {
    const Penalty penalty = penalty_of(at_.layout, g, at_.l1, at_.l2);
    const double over = at_.lazy.norm(g) - penalty.l;
    if (!all && !(over > 0.0)) continue;
    gain[g] = over * over / (at_.lazy.square()[g] + penalty.m);
    violators.push_back(g);
  }
  std::sort(violators.begin(), violators.end(),
            [&](Index a, Index b) { return gain[a] != gain[b] ? gain[a] > gain[b] : a < b; });
  if (!all) violators.resize(places_for(violators));
  if (violators.empty()) return false;
  for (const Index g : violators) at_.pool.add(g);
  at_.pool.set_penalties(at_.l1, at_.l2);
  at_.fresh = false;
  return true;
}

// As many as are in use already, or as their Gram entries cost a share of a pass.
std::size_t Solver::places_for(const std::vector<Index>& violators) const {
  if (at_.design->cols() <= kSmallColumns) return violators.size();
  std::size_t used = 0;
  for (std::size_t t = 0; t < at_.pool.blocks(); ++t) used += at_.in_use(at_.pool.block(t)) ? 1 : 0;
  const double pass = kGrowthShare * column_entry(at_.design->sparse()) *
                      static_cast<double>(at_.design->entries());
  double cost = 0.0, columns = static_cast<double>(at_.pool.size());
  std::size_t count = 0;
  for (; count < violators.size(); ++count) {
    const double p = static_cast<double>(at_.layout.size(violators[count]));
    columns += p;
    cost += p * columns * at_.design->gram_entry_cost();
    if (count >= std::max(kEnterLeast, used) && cost > pass) break;
  }
  return count;
}

}  // namespace banditcd::groups
