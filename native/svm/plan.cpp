#include "svm/plan.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "svm/descent.hpp"
#include "svm/gram_space.hpp"
#include "svm/newton.hpp"
#include "svm/sample_start.hpp"
#include "svm/strategy.hpp"
#include "svm/turns.hpp"

namespace banditcd::svm {
namespace {

double mean_cost(const Problem& problem) {
  return problem.total_cost() / static_cast<double>(problem.size());
}

// Runs a method and keeps what it has, also when it is stopped.
template <class Run, class Keep>
Outcome run_and_keep(const Run& run, const Keep& keep) {
  try {
    const Outcome outcome = run();
    keep();
    return outcome;
  } catch (const Stopped&) {
    keep();
    throw;
  }
}

}  // namespace

bool Plan::tall() const {
  const auto n = static_cast<double>(problem_.size()), p = static_cast<double>(problem_.dim());
  return n > kTall * p && mean_cost(problem_) * problem_.mean_square() > kCrawlCostTall;
}

// Whether descent is known to take few passes: no row can move the margin of another by much, and
// a few digits are enough.
bool Plan::easy(const Budget& budget) const {
  return problem_.loss == Loss::kHinge && budget.target >= kEasyTarget * null_objective_ &&
         mean_cost(problem_) * problem_.mean_square() <= kEasyCost;
}

// The price of Newton's method from here: some steps, and more of them for every decade.
Rival Plan::newton_rival() const {
  if (problem_.dim() > kNewtonColumns || rows_->count() + 1 < problem_.dim()) return {};
  const auto dim = static_cast<double>(problem_.dim());
  const double entries = rows_->entries();
  const double pass = entries * (rows_->sparse() ? kSparseRow : kDenseRow);
  const double factor = kFactor * dim * dim * dim;
  const bool hinge = problem_.loss == Loss::kHinge;
  const double outer = hinge ? rows_->outer_cost() : rows_->rough_outer_cost();
  Rival out;
  out.entry = sweep_cost(true);
  out.exact = sweep_cost(false);
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

// Newton by conjugate gradients; a guess, since nothing tells how many
// products they take. Rows fewer than twice the features can be separated, or nearly (Cover, 1965):
// then C has the word, conjugate gradients take long, and descent does not.
Rival Plan::cg_rival() const {
  if (problem_.loss == Loss::kHinge || problem_.size() <= 2 * problem_.dim()) return {};
  Rival out;
  out.entry = sweep_cost(true);
  out.exact = sweep_cost(false);
  out.own = 0.5 * (rows_->sparse() ? kSparseFused : kDenseFused);
  out.direct = true;
  out.once = kCgFirst * rows_->entries() * out.own;
  out.decade = kCgDecade * rows_->entries() * out.own;
  return out;
}

// The Gram matrix of the rows, its factor, and descent over that.
Rival Plan::gram_rival() const {
  const auto n = static_cast<double>(rows_->count()), entries = rows_->entries();
  const double product = rows_->sparse() ? kSparseRow : kPackedProduct;
  Rival out;
  out.entry = sweep_cost(true);
  out.exact = sweep_cost(false);
  if (rows_->count() > kGramRows || rows_->features() <= rows_->count()) return out;
  if (n * n * sizeof(double) > static_cast<double>(rows_->pool_bytes)) return out;
  out.once = 0.5 * n * entries * product + kFactor * n * n * n + kGramPasses * kDenseSweep * n * n;
  return out;
}

// The price of an entry for descent, its share of the visit included; of the copy, if there is one
// and it may be read.
double Plan::sweep_cost(bool copied) const {
  const double entries = rows_->entries();
  double entry = rows_->sparse() ? kSparseSweep : rows_->has_copy() ? kLongSweep : kDenseSweep;
  if (!rows_->sparse() && entries > kFarEntries) entry = kFarSweep;
  if (copied && rows_->has_copy() && !problem_.free_bias) entry = kCopySweep;
  return entry + kVisit * static_cast<double>(problem_.size()) / entries;
}

void Plan::force(Regime regime) {
  const bool hinge = problem_.loss == Loss::kHinge;
  const bool step = regime == Regime::kNewton || regime == Regime::kProximalNewton;
  std::string why;
  if (regime == Regime::kNull || regime == Regime::kDescentThenNewton)
    why = "is what is reported, not a method of its own";
  else if (step && hinge != (regime == Regime::kProximalNewton))
    why = hinge ? "is for the squared loss; proximal_newton is for this one"
                : "is for the hinge; newton is for the squared loss";
  else if (step && hinge && problem_.dim() > kNewtonColumns)
    why = "factors a matrix of all features; there are too many of them";
  else if (regime == Regime::kGram && rows_->count() > kGramRows)
    why = "factors a matrix of all rows; there are too many of them";
  if (!why.empty())
    throw std::invalid_argument(std::string("the regime ") + regime_name(regime) + " " + why);
  forced_ = regime;
}

Outcome Plan::follow(Budget& budget, Pair& pair, Watch& watch) {
  if (forced_ == Regime::kDescent) return descend(budget, pair, watch);
  return forced_ == Regime::kGram ? in_gram_space(budget, pair, watch)
                                  : newton(budget, pair, watch);
}

Outcome Plan::choose(Budget& budget, Pair& pair, Watch& watch) {
  if (forced_ != Regime::kNull) return follow(budget, pair, watch);
  const Outcome outcome = attempt(budget, pair, watch);
  if (outcome != Outcome::kStalled || pair.regime == Regime::kDescent) return outcome;
  return go_on(budget, pair, watch);
}

// Newton ran out of descent in float64: coordinate descent goes on from its dual variables. Its
// weights may be worse for a long time; the better pair is kept.
Outcome Plan::go_on(Budget& budget, Pair& pair, Watch& watch) {
  const Pair before = pair;
  return run_and_keep([&] { return descend(budget, pair, watch); },
                      [&] { keep_better(before, pair); });
}

void Plan::keep_better(const Pair& before, Pair& pair) const {
  const auto gap_of = [&](Pair of) { return certify(problem_, of.bias, of.w, of.a).gap; };
  if (!(gap_of(pair) < gap_of(before))) pair = before;
}

Outcome Plan::attempt(Budget& budget, Pair& pair, Watch& watch) {
  const Rival gram = pair.regime == Regime::kGram ? Rival{} : gram_rival(), newton = newton_rival();
  if (problem_.free_bias && gram.exists()) return in_gram_space(budget, pair, watch);
  if (problem_.free_bias && problem_.dim() <= kNewtonColumns)
    return this->newton(budget, pair, watch);
  if (newton.exists() && tall()) return this->newton(budget, pair, watch);
  const Rival products = gram.exists() ? Rival{} : cg_rival();
  Budget part = budget;
  if (products.exists() && kCgWorth * products.four_decades() < newton.four_decades()) {
    part.rival = products;
    part.second = newton;
    const Outcome outcome = in_turns(part, pair, watch);
    budget.bins = part.bins;
    budget.target = part.target;
    return outcome;
  }
  const bool by_gram = gram.once < newton.once;
  const auto rival = by_gram ? &Plan::in_gram_space : &Plan::newton;
  part.rival = by_gram ? gram : newton;
  // Newton on more rows than features is priced for one target after the other.
  if (newton.exists() && rows_->count() > problem_.dim()) part.share = kInfinity;
  // No descent where the other method costs as little as finding out how well descent does.
  const bool cheap = part.rival.once < kProbePasses * part.rival.entry * rows_->entries();
  if (cheap && (by_gram || !easy(budget))) return (this->*rival)(budget, pair, watch);
  const Outcome outcome = descend(part, pair, watch);
  budget.bins = part.bins;
  budget.target = part.target;
  if (outcome != Outcome::kOvertaken) return outcome;
  // The hinge goes on from dual variables, which say little while the gap has hardly fallen.
  const bool hinge = problem_.loss == Loss::kHinge;
  pair.warm = !hinge || pair.terms < kWarmGap * null_objective_;
  const Pair before = pair;
  Outcome second = Outcome::kStalled;
  try {
    second = (this->*rival)(budget, pair, watch);
  } catch (const Stopped&) {
    if (pair.regime == Regime::kDescent) pair = before;  // it had not begun
    throw;
  }
  if (second == Outcome::kBudget) keep_better(before, pair);  // it had hardly begun
  if (!by_gram) pair.regime = Regime::kDescentThenNewton;
  return second;
}

Outcome Plan::descend(Budget& budget, Pair& pair, Watch& watch) {
  Descent descent(problem_);
  if (pair.warm) descent.start(pair);
  std::vector<double>().swap(pair.a);  // until the end of the run, which gives others
  Pace pace(budget);
  return run_and_keep([&] { return descent.run(budget, pace, watch); },
                      [&] { pair = descent.last_pair(); });
}

// From a pair, or from the weights of a sample. The method has dual variables of its own: those of
// the pair, if it starts from them at all, take no memory any longer.
void Plan::begin(std::optional<Newton>& method, Steps steps, Pair& pair, Watch& watch) const {
  const double unit = mean_cost(problem_) * problem_.mean_square();
  const bool from_duals = pair.warm && problem_.loss == Loss::kHinge;
  if (!pair.warm) std::vector<double>().swap(pair.a);
  try {
    if (!pair.warm) pair.w = sample_start(problem_, steps, watch);
    method.emplace(problem_, steps);  // after the sample, which has vectors and matrices of its own
    method->start(pair.w.data(), from_duals ? pair.a.data() : nullptr, kProximalStart / unit,
                  watch);
  } catch (const Stopped&) {
    if (!pair.warm) {
      pair.w.assign(problem_.dim(), 0.0);
      pair.a.assign(problem_.size(), 0.0);
    }
    throw;
  }
  std::vector<double>().swap(pair.a);
}

Outcome Plan::newton(Budget& budget, Pair& pair, Watch& watch) {
  const Steps steps = problem_.dim() <= kNewtonColumns ? Steps::kMatrix : Steps::kProducts;
  std::optional<Newton> method;
  begin(method, steps, pair, watch);
  Budget part = steps == Steps::kMatrix ? to_the_last_step(budget) : budget;
  Outcome outcome =
      run_and_keep([&] { return method->run(part, watch); }, [&] { pair = method->last_pair(); });
  budget.bins = part.bins;
  if (method->gap() <= budget.target) outcome = Outcome::kConverged;
  return outcome;
}

// Conjugate gradients may take long where descent does not, and the other way round.
Outcome Plan::in_turns(Budget& budget, Pair& pair, Watch& watch) {
  Turns turns(problem_, null_objective_, to_the_last_step(budget));
  return run_and_keep([&] { return turns.run(budget, pair, watch); }, [&] { pair = turns.pair(); });
}

// What Newton aims at.
Budget Plan::to_the_last_step(const Budget& budget) const {
  const bool hinge = problem_.loss == Loss::kHinge;
  const double steps = budget.looser * budget.looser * (hinge ? kHingeLastSteps : kLastSteps);
  const double least = hinge ? kHingeLastAim : kLastAim;
  Budget out = budget;
  out.share = std::min(budget.share, std::max(steps * budget.share, least));
  if (!hinge)
    out.target = std::min(budget.target, std::max(steps * budget.target, least * null_objective_));
  return out;
}

Outcome Plan::in_gram_space(Budget& budget, Pair& pair, Watch& watch) {
  if (!gram_) {
    gram_.emplace(problem_);
    if (!gram_->build(watch)) {
      gram_.reset();
      return descend(budget, pair, watch);
    }
  }
  GramSpace& gram = *gram_;
  Budget part = budget;
  // As many entries, but for the pass that read the squares of X: the factor has fewer in a pass.
  part.entries = budget.entries - rows_->entries();
  Pair small = gram.reduced(pair);
  Plan inner(gram.problem(), svm::null_objective(gram.problem()));
  return run_and_keep([&] { return inner.choose(part, small, watch); },
                      [&] {
                        budget.bins = part.bins;
                        pair = gram.lifted(small);
                      });
}

}  // namespace banditcd::svm
