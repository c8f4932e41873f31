#include "svm/descent_newton_turns.hpp"

#include <algorithm>
#include <utility>

#include "kernels/memory.hpp"

namespace banditcd::svm {

Outcome DescentNewtonTurns::run(Budget& budget, Pair& pair, Watch& watch) {
  if (pair.warm) descent_.start(pair);
  release(pair.a);  // until the end of the run, which gives others
  Pace pace(budget);
  for (;;) {
    const Outcome outcome = take_turn(method_, budget, pace, watch);
    arrived_ = outcome == Outcome::kConverged;
    const bool alone = method_ == Method::kDescent;  // nobody goes on where descent has stalled
    if (outcome == Outcome::kStalled && !alone)
      pace.retire();
    else if (outcome != Outcome::kOvertaken)
      return outcome;
    method_ = pace.hand_over(problem_.rows->stored().entries_read());
  }
}

Outcome DescentNewtonTurns::take_turn(Method method, Budget& budget, Pace& pace, Watch& watch) {
  if (method == Method::kDescent) return descent_.run(budget, pace, watch);
  if (method == Method::kSecond) return by_matrix(budget, watch);
  if (!products_) {
    const std::vector<double> w = newton_start(watch);
    products_.emplace(problem_, Steps::kProducts);
    products_->start(w, watch);
  }
  return products_->run(budget, watch, &pace);
}

Outcome DescentNewtonTurns::by_matrix(Budget& budget, Watch& watch) {
  const std::vector<double> w = products_ ? products_->weights() : newton_start(watch);
  matrix_.emplace(problem_, Steps::kMatrix);
  matrix_->start(w, watch);
  last_.bins = budget.bins;
  const Outcome outcome = matrix_->run(last_, watch);
  budget.bins = last_.bins;
  return matrix_->gap() <= budget.target ? Outcome::kConverged : outcome;
}

// The weights of descent, or zero where these are worse, as they are early on for a large C.
std::vector<double> DescentNewtonTurns::newton_start(Watch& watch) {
  std::vector<double> w = descent_.weights(), margin(problem_.size());
  problem_.rows->margins(problem_.ids.data(), margin.size(), w.data(), margin.data(), watch);
  double objective = 0.0;
  for (std::size_t j = 0; j < problem_.penalized(); ++j) objective += 0.5 * w[j] * w[j];
  for (std::size_t t = 0; t < margin.size(); ++t)
    objective += problem_.cost(t) * loss_value(problem_.loss, problem_.goal_of(t) - margin[t]);
  if (!(objective < null_objective_)) std::fill(w.begin(), w.end(), 0.0);
  return w;
}

Pair DescentNewtonTurns::pair_of(Method method) {
  if (method == Method::kDescent) return descent_.last_pair();
  Pair pair = (method == Method::kRival ? products_ : matrix_)->last_pair();
  pair.regime = Regime::kDescentThenNewton;
  return pair;
}

Pair DescentNewtonTurns::last_pair() {
  if (arrived_) return pair_of(method_);
  Pair best = pair_of(Method::kDescent);
  if (!products_ && !matrix_) return best;
  double least = gap_of(problem_, best);
  for (const Method method : {Method::kRival, Method::kSecond}) {
    if (!(method == Method::kRival ? products_ : matrix_)) continue;
    Pair pair = pair_of(method);
    const double gap = gap_of(problem_, pair);
    if (!(gap < least)) continue;
    least = gap;
    best = std::move(pair);
  }
  return best;
}

}  // namespace banditcd::svm
