#include "svm/plan.hpp"

#include <stdexcept>
#include <string>

#include "svm/descent.hpp"
#include "svm/descent_newton_turns.hpp"
#include "svm/rivals.hpp"
#include "svm/sample_start.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {
namespace {

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

// Whether descent is known to crawl.
bool Plan::tall() const {
  const auto n = static_cast<double>(problem_.size()), p = static_cast<double>(problem_.dim());
  return n > kTall * p && mean_strength(problem_) > kTallStrength;
}

// Whether descent is known to take few passes: no row can move the margin of another by much, and
// a few digits are enough.
bool Plan::easy(const Budget& budget) const {
  return problem_.loss == Loss::kHinge && budget.target >= kEasyTarget * null_objective_ &&
         mean_strength(problem_) <= kEasyStrength;
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
  if (!(gap_of(problem_, pair) < gap_of(problem_, before))) pair = before;
}

Outcome Plan::attempt(Budget& budget, Pair& pair, Watch& watch) {
  const Rival gram = pair.regime == Regime::kGram ? Rival{} : gram_rival(problem_);
  const Rival newton = newton_rival(problem_);
  if (problem_.free_bias && gram.exists()) return in_gram_space(budget, pair, watch);
  if (problem_.free_bias && problem_.dim() <= kNewtonColumns)
    return this->newton(budget, pair, watch);
  if (newton.exists() && tall()) return this->newton(budget, pair, watch);
  const Rival products = gram.exists() ? Rival{} : cg_rival(problem_);
  if (products.exists() && kCgWorth * products.four_decades() < newton.four_decades())
    return in_turns({products, newton}, budget, pair, watch);

  const bool by_gram = gram.once < newton.once;
  const Rival& rival = by_gram ? gram : newton;
  const Way way = by_gram ? &Plan::in_gram_space : &Plan::newton;
  // No descent where the other method costs as little as finding out how well descent does.
  const bool cheap = rival.once < kProbePasses * rival.entry * rows_->entries();
  if (cheap && (by_gram || !easy(budget))) return (this->*way)(budget, pair, watch);
  const Outcome outcome = descend_against(rival, budget, pair, watch);
  if (outcome != Outcome::kOvertaken) return outcome;
  const Outcome second = take_over(way, budget, pair, watch);
  if (!by_gram) pair.regime = Regime::kDescentThenNewton;
  return second;
}

Outcome Plan::descend_against(const Rival& rival, Budget& budget, Pair& pair, Watch& watch) {
  Budget part = budget;
  part.rival = rival;
  // Newton on more rows than features is priced for one target after the other.
  if (problem_.dim() <= kNewtonColumns && rows_->count() > problem_.dim()) part.share = kInfinity;
  const Outcome outcome = descend(part, pair, watch);
  budget.bins = part.bins;
  budget.target = part.target;
  return outcome;
}

// Another method goes on from the pair of descent, which is kept in case that it has hardly begun
// when the budget ends: of the hinge without the dual variables, which are as long as the data.
// Newton's method has them if it began with them, and else they were worth little.
Outcome Plan::take_over(Way way, Budget& budget, Pair& pair, Watch& watch) {
  const bool hinge = problem_.loss == Loss::kHinge, light = hinge && way == &Plan::newton;
  // The hinge goes on from dual variables, which say little while the gap has hardly fallen.
  pair.warm = !hinge || pair.terms < kWarmGap * null_objective_;
  Pair before{pair.w, light ? std::vector<double>() : pair.a, true, false};
  before.regime = pair.regime;
  before.bias = pair.bias;
  const Outcome outcome = (this->*way)(budget, pair, watch);
  if (outcome != Outcome::kBudget) return outcome;
  if (light) before.a = pair.a;
  keep_better(before, pair);
  return outcome;
}

Outcome Plan::descend(Budget& budget, Pair& pair, Watch& watch) {
  Descent descent(problem_);
  if (pair.warm) descent.start(pair);
  release(pair.a);  // until the end of the run, which gives others
  Pace pace(budget);
  return run_and_keep([&] { return descent.run(budget, pace, watch); },
                      [&] { pair = descent.last_pair(); });
}

// From a pair, or from the weights of a sample. The method has dual variables of its own: those of
// the pair, if it starts from them at all, take no memory any longer.
void Plan::begin(std::optional<Newton>& method, Steps steps, Pair& pair, Watch& watch) const {
  if (!pair.warm) release(pair.a);
  try {
    const std::vector<double> w = pair.warm ? pair.w : sample_start(problem_, steps, watch);
    method.emplace(problem_, steps);  // after the sample, which has vectors and matrices of its own
    if (pair.warm && problem_.loss == Loss::kHinge)
      method->start_at_duals(pair, kProximalStart / mean_strength(problem_), watch);
    else
      method->start(w, watch);
  } catch (const Stopped&) {
    if (!pair.warm) {
      pair.a.assign(problem_.size(), 0.0);
      pair.same = false;
      pair.terms = -1.0;
    }
    throw;
  }
  release(pair.a);
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
Outcome Plan::in_turns(const Rivals& rivals, Budget& budget, Pair& pair, Watch& watch) {
  Budget part = budget;
  part.rival = rivals.products;
  part.second = rivals.matrix;
  DescentNewtonTurns turns(problem_, null_objective_, to_the_last_step(part));
  const Outcome outcome =
      run_and_keep([&] { return turns.run(part, pair, watch); }, [&] { pair = turns.last_pair(); });
  budget.bins = part.bins;
  budget.target = part.target;
  return outcome;
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
