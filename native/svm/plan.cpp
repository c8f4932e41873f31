// Which method solves which problem, and what happens when it does not get there.
#include <cmath>
#include <cstdlib>

#include "svm/cost_model.hpp"
#include "svm/solver.hpp"

namespace banditcd::svm {
namespace {

double mean_cost(const Problem& problem) {
  return problem.total_cost() / static_cast<double>(problem.size());
}

}  // namespace

bool SvmSolver::descent_crawls() const {
  return mean_cost(problem_) * problem_.mean_square() > kCrawlCost;
}

bool SvmSolver::tall() const {
  const auto n = static_cast<double>(problem_.size()), p = static_cast<double>(problem_.dim());
  return n > kTall * p && mean_cost(problem_) * problem_.mean_square() > kCrawlCostTall;
}

// Passes, Hessian and factorizations of Newton against the passes of coordinate descent.
bool SvmSolver::newton_pays() const {
  const auto dim = static_cast<double>(problem_.dim());
  if (problem_.dim() > kNewtonColumns) return false;
  if (problem_.free_bias) return true;
  if (problem_.size() + 1 < problem_.dim()) return false;
  const double entries = rows_->entries();
  const double pass = entries * (rows_->sparse() ? kSparsePass : kDensePass);
  const double sweep = entries * (rows_->sparse() ? kSparseSweep : kDenseSweep);
  const double newton = kNewtonPasses * pass + kNewtonHessians * rows_->outer_cost() +
                        kNewtonFactors * kFactor * dim * dim * dim;
  const double q = mean_cost(problem_) * problem_.mean_square();
  return newton < sweep * (q < 1.0 ? kEasyPasses : kHardPasses);
}

bool SvmSolver::gram_pays() const {
  const auto n = static_cast<double>(rows_->count());
  if (rows_->count() > kGramRows || rows_->features() <= rows_->count()) return false;
  const double product = rows_->sparse() ? kSparsePass : kPackedProduct;
  return 0.5 * n * product < kGramPasses * (rows_->sparse() ? kSparseSweep : kDenseSweep);
}

Outcome SvmSolver::choose(Budget& budget, Pair& pair, Watch& watch) {
  const Outcome outcome = attempt(budget, pair, watch);
  if (outcome != Outcome::kStalled || pair.regime == Regime::kDescent) return outcome;
  // Newton ran out of descent in float64: coordinate descent goes on from its dual variables.
  return descend(budget, pair, watch);
}

Outcome SvmSolver::attempt(Budget& budget, Pair& pair, Watch& watch) {
  if (gram_pays() && pair.regime != Regime::kGram) return in_gram_space(budget, pair, watch);
  if (getenv("FD") || !newton_pays()) return descend(budget, pair, watch);
  if (problem_.loss == Loss::kHinge && !problem_.free_bias && !tall())
    return hinge_small(budget, pair, watch);
  return newton(budget, pair, watch);
}

// Coordinate descent first, Newton from its pair when it crawls.
Outcome SvmSolver::hinge_small(Budget& budget, Pair& pair, Watch& watch) {
  const double pass = rows_->entries(), read = rows_->entries_read();
  Budget part = budget;
  part.entries = std::min(budget.entries, read + kDescentPasses * pass);
  part.early_entries = read + kEarlyPasses * pass;
  part.early_gap = (descent_crawls() ? kEarlyGapCrawl : kEarlyGap) * null_objective();
  const Outcome outcome = descend(part, pair, watch);
  budget.bins = part.bins;
  if (outcome == Outcome::kConverged || rows_->entries_read() > budget.entries) return outcome;
  if (rows_->entries_read() < part.entries) pair.warm = false;  // the gap had hardly fallen
  const Outcome second = newton(budget, pair, watch);
  pair.regime = Regime::kDescentThenNewton;
  return second;
}

Outcome SvmSolver::descend(Budget& budget, Pair& pair, Watch& watch) {
  Descent descent(problem_);
  if (pair.warm && !pair.same) {
    std::fill_n(pair.w.begin(), problem_.penalized(), 0.0);
    const double bias = pair.w.back();
    rows_->accumulate(problem_.ids.data(), pair.a.data(), pair.a.size(), pair.w.data());
    if (problem_.free_bias) pair.w.back() = bias;
  }
  if (pair.warm) descent.start(pair.w, pair.a);
  const auto keep = [&] {
    pair = {descent.weights(),
            descent.duals(),
            true,
            true,
            Regime::kDescent,
            Bias::kBest,
            descent.fresh() ? descent.gap() : -1.0};
  };
  Outcome outcome = Outcome::kStalled;
  try {
    outcome = descent.run(budget, watch);
  } catch (const record::Stopped&) {
    keep();
    throw;
  }
  keep();
  return outcome;
}

Outcome SvmSolver::newton(Budget& budget, Pair& pair, Watch& watch) {
  const bool hinge = problem_.loss == Loss::kHinge;
  const double unit = mean_cost(problem_) * problem_.mean_square();
  Newton method(problem_);
  if (!pair.warm) pair.w = sample_start(watch);
  method.start(pair.w.data(), pair.warm && hinge ? pair.a.data() : nullptr, 10.0 / unit, watch);
  const auto keep = [&] {
    pair = {method.weights(),
            method.duals(),
            true,
            false,
            hinge ? Regime::kProximalNewton : Regime::kNewton,
            Bias::kKeep};
  };
  Outcome outcome = Outcome::kStalled;
  try {
    outcome = method.run(budget, watch);
  } catch (const record::Stopped&) {
    keep();
    throw;
  }
  keep();
  return outcome;
}

}  // namespace banditcd::svm
