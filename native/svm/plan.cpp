// Which method solves which problem, and what happens when it does not get there.
#include <cmath>

#include "svm/cost_model.hpp"
#include "svm/solver.hpp"

namespace banditcd::svm {
namespace {

double mean_cost(const Problem& problem) {
  return problem.total_cost() / static_cast<double>(problem.size());
}

}  // namespace

bool SvmSolver::tall() const {
  const auto n = static_cast<double>(problem_.size()), p = static_cast<double>(problem_.dim());
  return n > kTall * p && mean_cost(problem_) * problem_.mean_square() > kCrawlCostTall;
}

// Newton in feature space can be used at all.
bool SvmSolver::newton_fits() const {
  if (problem_.dim() > kNewtonColumns) return false;
  return problem_.free_bias || problem_.size() + 1 >= problem_.dim();
}

// What Newton's method would cost from here: some steps, and more of them for every decade.
Rival SvmSolver::newton_rival() const {
  const auto dim = static_cast<double>(problem_.dim());
  const double entries = rows_->entries();
  const double pass = entries * (rows_->sparse() ? kSparsePass : kDensePass);
  const double factor = kFactor * dim * dim * dim, outer = rows_->outer_cost();
  Rival out;
  out.entry = rows_->sparse() ? kSparseSweep : kDenseSweep;
  out.entry += kVisit * static_cast<double>(problem_.size()) / entries;
  const double step = kStepPasses * pass + factor;
  if (problem_.loss == Loss::kHinge) {
    out.once = kProximalFirst * step + outer;
    out.decade = kProximalDecade * (step + kProximalOuter * outer);
  } else {
    out.once = kNewtonFirst * step + outer;
    out.decade = kNewtonDecade * step;
  }
  return out;
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
  return go_on(budget, pair, watch);
}

// Newton ran out of descent in float64: coordinate descent goes on from its dual variables. Its
// weights may be worse for a long time; the better pair is kept.
Outcome SvmSolver::go_on(Budget& budget, Pair& pair, Watch& watch) {
  const Pair before = pair;
  const auto gap_of = [&](Pair of) { return certify(problem_, of.bias, of.w, of.a).gap; };
  const auto keep_better = [&] {
    if (!(gap_of(pair) < gap_of(before))) pair = before;
  };
  Outcome outcome = Outcome::kStalled;
  try {
    outcome = descend(budget, pair, watch);
  } catch (const record::Stopped&) {
    keep_better();
    throw;
  }
  keep_better();
  return outcome;
}

Outcome SvmSolver::attempt(Budget& budget, Pair& pair, Watch& watch) {
  if (gram_pays() && pair.regime != Regime::kGram) return in_gram_space(budget, pair, watch);
  if (!newton_fits()) return descend(budget, pair, watch);
  if (problem_.free_bias || tall()) return newton(budget, pair, watch);
  return descend_or_newton(budget, pair, watch);
}

// Coordinate descent first; Newton from its pair as soon as that looks cheaper.
Outcome SvmSolver::descend_or_newton(Budget& budget, Pair& pair, Watch& watch) {
  Budget part = budget;
  part.rival = newton_rival();
  // No descent where Newton costs as little as finding out how well descent does.
  if (part.rival.once < kProbePasses * part.rival.entry * rows_->entries())
    return newton(budget, pair, watch);
  const Outcome outcome = descend(part, pair, watch);
  budget.bins = part.bins;
  if (outcome != Outcome::kOvertaken) return outcome;
  // The hinge goes on from dual variables, which say little while the gap has hardly fallen.
  const bool hinge = problem_.loss == Loss::kHinge;
  pair.warm = !hinge || pair.terms < kWarmGap * null_objective();
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
