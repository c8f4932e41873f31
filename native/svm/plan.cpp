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

// What Newton's method would cost from here: some steps, and more of them for every decade.
Rival SvmSolver::newton_rival() const {
  if (problem_.dim() > kNewtonColumns || rows_->stored() + 1 < problem_.dim()) return {};
  const auto dim = static_cast<double>(problem_.dim());
  const double entries = rows_->entries();
  const double pass = entries * (rows_->sparse() ? kSparseRow : kDenseRow);
  const double factor = kFactor * dim * dim * dim;
  const bool hinge = problem_.loss == Loss::kHinge;
  const double outer = hinge ? rows_->outer_cost() : rows_->rough_outer_cost();
  Rival out;
  out.entry = sweep_cost();
  // Fewer rows can be separated, or nearly: then a gap says little about the way ahead.
  out.direct = problem_.size() > 2 * problem_.dim();
  const double step = kStepPasses * pass + factor;
  if (hinge) {
    out.once = kProximalFirst * step + outer;
    out.decade = kProximalDecade * (step + kProximalOuter * outer);
  } else {
    out.once = kNewtonFirst * step + outer;
    out.decade = kNewtonDecade * step;
  }
  return out;
}

// The Gram matrix of the rows, its factor, and descent over that.
Rival SvmSolver::gram_rival() const {
  const auto n = static_cast<double>(rows_->stored()), entries = rows_->entries();
  const double product = rows_->sparse() ? kSparseRow : kPackedProduct;
  Rival out;
  out.entry = sweep_cost();
  if (rows_->stored() > kGramRows || rows_->features() <= rows_->stored()) return out;
  out.once = 0.5 * n * entries * product + kFactor * n * n * n + kGramPasses * kDenseSweep * n * n;
  return out;
}

// What descent pays for an entry, its share of the visit included.
double SvmSolver::sweep_cost() const {
  const double entries = rows_->entries();
  double entry = rows_->sparse() ? kSparseSweep : kDenseSweep;
  if (!rows_->sparse() && entries > kFarEntries) entry = kFarSweep;
  if (rows_->has_copy() && !problem_.free_bias) entry = kCopySweep;
  return entry + kVisit * static_cast<double>(problem_.size()) / entries;
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
  Outcome outcome = Outcome::kStalled;
  try {
    outcome = descend(budget, pair, watch);
  } catch (const Stopped&) {
    keep_better(before, pair);
    throw;
  }
  keep_better(before, pair);
  return outcome;
}

void SvmSolver::keep_better(const Pair& before, Pair& pair) const {
  const auto gap_of = [&](Pair of) { return certify(problem_, of.bias, of.w, of.a).gap; };
  if (!(gap_of(pair) < gap_of(before))) pair = before;
}

Outcome SvmSolver::attempt(Budget& budget, Pair& pair, Watch& watch) {
  const Rival gram = pair.regime == Regime::kGram ? Rival{} : gram_rival(), newton = newton_rival();
  if (problem_.free_bias && gram.exists()) return in_gram_space(budget, pair, watch);
  if (problem_.free_bias && problem_.dim() <= kNewtonColumns)
    return this->newton(budget, pair, watch);
  if (newton.exists() && tall()) return this->newton(budget, pair, watch);
  const bool by_gram = gram.once < newton.once;
  const auto rival = by_gram ? &SvmSolver::in_gram_space : &SvmSolver::newton;
  Budget part = budget;
  part.rival = by_gram ? gram : newton;
  // No descent where the other method costs as little as finding out how well descent does.
  if (part.rival.once < kProbePasses * part.rival.entry * rows_->entries())
    return (this->*rival)(budget, pair, watch);
  const Outcome outcome = descend(part, pair, watch);
  budget.bins = part.bins;
  if (outcome != Outcome::kOvertaken) return outcome;
  // The hinge goes on from dual variables, which say little while the gap has hardly fallen.
  const bool hinge = problem_.loss == Loss::kHinge;
  pair.warm = !hinge || pair.terms < kWarmGap * null_objective();
  const Pair before = pair;
  const Outcome second = (this->*rival)(budget, pair, watch);
  if (second == Outcome::kBudget) keep_better(before, pair);  // it had hardly begun
  if (!by_gram) pair.regime = Regime::kDescentThenNewton;
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
            !descent.copying(),
            Regime::kDescent,
            Bias::kBest,
            descent.fresh() ? descent.gap() : -1.0,
            descent.drift()};
  };
  Outcome outcome = Outcome::kStalled;
  try {
    outcome = descent.run(budget, watch);
  } catch (const Stopped&) {
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
  } catch (const Stopped&) {
    keep();
    throw;
  }
  keep();
  return outcome;
}

}  // namespace banditcd::svm
