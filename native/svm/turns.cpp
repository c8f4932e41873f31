#include "svm/turns.hpp"

namespace banditcd::svm {

Outcome Turns::run(Budget& budget, Pair& pair, Watch& watch) {
  if (pair.warm) descent_.start(pair);
  const Outcome outcome = alternate(budget, watch);
  arrived_ = outcome == Outcome::kConverged;
  return outcome;
}

Outcome Turns::alternate(Budget& budget, Watch& watch) {
  Pace pace(budget.target, budget.rival);
  for (;;) {
    by_descent_ = true;
    const Outcome first = descent_.run(budget, pace, watch);
    if (first != Outcome::kOvertaken) return first;
    by_descent_ = false;
    pace.begin_turn(problem_.rows->stored().entries_read());
    if (!newton_) start_newton(watch);
    const Outcome second = newton_->run(budget, watch, &pace);
    if (second != Outcome::kOvertaken && second != Outcome::kStalled) return second;
    pace.end_turn();
    // Rounding has the word in Newton's method: descent is left alone.
    if (second == Outcome::kStalled) {
      budget.rival = {};
      pace = Pace(budget.target, budget.rival);
    }
  }
}

// At the weights of descent, or at zero where these are worse, as they are early on for a large C.
void Turns::start_newton(Watch& watch) {
  std::vector<double> w = descent_.weights(), margin(problem_.size());
  problem_.rows->margins(problem_.ids.data(), margin.size(), w.data(), margin.data(), watch);
  double objective = 0.0;
  for (std::size_t j = 0; j < problem_.penalized(); ++j) objective += 0.5 * w[j] * w[j];
  for (std::size_t t = 0; t < margin.size(); ++t)
    objective += problem_.cost[t] * loss_value(problem_.loss, problem_.goal_of(t) - margin[t]);
  if (!(objective < null_objective_)) std::fill(w.begin(), w.end(), 0.0);
  newton_.emplace(problem_);
  newton_->start(w.data(), nullptr, 1.0, watch);
}

Pair Turns::pair() const {
  Pair own = descent_.pair();
  if (!newton_ || (arrived_ && by_descent_)) return own;
  Pair other = newton_->pair();
  other.regime = Regime::kDescentThenNewton;
  if (arrived_) return other;
  const auto gap_of = [&](Pair of) { return certify(problem_, of.bias, of.w, of.a).gap; };
  return gap_of(other) < gap_of(own) ? other : own;
}

}  // namespace banditcd::svm
