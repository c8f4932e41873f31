#include "svm/descent_newton_turns.hpp"

namespace banditcd::svm {

Outcome DescentNewtonTurns::run(Budget& budget, Pair& pair, Watch& watch) {
  if (pair.warm) descent_.start(pair);
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
    objective += problem_.cost[t] * loss_value(problem_.loss, problem_.goal_of(t) - margin[t]);
  if (!(objective < null_objective_)) std::fill(w.begin(), w.end(), 0.0);
  return w;
}

Pair DescentNewtonTurns::pair() const {
  std::vector<Pair> pairs{descent_.pair()};
  for (const auto* newton : {&products_, &matrix_})
    if (*newton) {
      pairs.push_back((*newton)->pair());
      pairs.back().regime = Regime::kDescentThenNewton;
    }
  if (pairs.size() == 1) return pairs[0];
  if (arrived_) return method_ == Method::kDescent ? pairs[0] : pairs.back();
  double least = kInfinity;
  const Pair* best = &pairs[0];
  for (const Pair& pair : pairs) {
    const double gap = gap_of(problem_, pair);
    if (!(gap < least)) continue;
    least = gap;
    best = &pair;
  }
  return *best;
}

}  // namespace banditcd::svm
