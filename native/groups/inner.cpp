#include "groups/inner.hpp"

#include <algorithm>

#include "groups/strategy.hpp"
#include "quadratic/idleness.hpp"

namespace banditcd::groups {
namespace {

constexpr double kCheckCost = 5e5;  // nanoseconds between two looks at the watch
constexpr double kLittle = 0.999;   // of the gap: what a round must leave less than
constexpr double kRounding = 1e-12;
constexpr int kRoundsWithout = 12;  // rounds without that before rounding is to blame
// Rounds that neither halve the gap nor lower the objective by a share of it, at most.
constexpr double kIdleRounds = 100.0, kIdleOnResidual = 15.0;

}  // namespace

bool InnerSolver::sweep(Model& model, bool in_use, Watch& watch) {
  const Pool& pool = model.pool();
  const std::size_t tasks = pool.tasks();
  const double cost = model.column_cost();
  bool changed = false;
  double since_check = 0.0;
  for (std::size_t t = 0; t < pool.blocks(); ++t) {
    const std::size_t p = pool.width(t), first = pool.first(t);
    const bool before = !model.zero(t);
    if (in_use && !before) continue;
    c_.resize(p * tasks);
    x_.resize(p * tasks);
    delta_.resize(p * tasks);
    // A look at a block costs about half of a move.
    since_check += 0.5 * cost * static_cast<double>(p);
    if (since_check > kCheckCost) watch.check(), since_check = 0.0;
    model.correlations(t, c_.data());
    for (std::size_t k = 0; k < tasks; ++k)
      std::copy_n(model.x().data() + model.place(k, first), p, x_.data() + k * p);
    if (!pool.spectrum(t).minimize(pool.penalty(t), c_.data(), tasks, x_.data(), delta_.data()))
      continue;
    for (std::size_t k = 0; k < tasks; ++k)
      std::copy_n(x_.data() + k * p, p, model.x().data() + model.place(k, first));
    model.move(t, delta_.data());
    changed = changed || before == model.zero(t);
    cost_ += cost * static_cast<double>(p);
    since_check += 0.5 * cost * static_cast<double>(p);
  }
  ++epochs_;
  return changed;
}

bool InnerSolver::newton_is_due(const Model& model, bool restless) const {
  return cost_ >= (restless ? kNewtonRestless : kNewtonPatience) * Newton::cost(model);
}

bool InnerSolver::solve(Model& model, double target, Watch& watch) {
  double best = model.certify(watch).gap, primal = kInfinity;
  cost_ = 0.0;
  Idleness idleness(model.in_gram_space() ? kIdleRounds : kIdleOnResidual);
  const int rounds = model.in_gram_space() ? kRounds : kRoundsOnResidual;
  for (int round = 0, without = 0; round < rounds && best > target; ++round) {
    watch.check();
    bool restless = sweep(model, false, watch);
    for (int k = 0; k < kEpochsInUse; ++k) {
      if (newton_is_due(model, restless)) break;
      restless = sweep(model, true, watch) || restless;
    }
    if (newton_is_due(model, restless)) {
      newton_.step(model, watch);
      cost_ = 0.0;
    }
    const Certificate found = model.certify(watch);
    const bool better = found.gap < kLittle * best || found.primal < (1.0 - kRounding) * primal;
    without = better ? 0 : without + 1;
    best = std::min(best, found.gap);
    primal = std::min(primal, found.primal);
    idleness.spend(1.0);
    if (without > kRoundsWithout || idleness.over(found)) break;
  }
  return best <= target;
}

}  // namespace banditcd::groups
