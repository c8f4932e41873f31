// Descent and Newton's method by conjugate gradients, in turns: each goes on from its own point.
//
// Their points are not exchanged but once: the dual variables of margins are far from optimal until
// w is nearly so, and descent would have to begin anew.
#pragma once
#include <optional>

#include "svm/descent.hpp"
#include "svm/newton.hpp"

namespace banditcd::svm {

class Turns {
 public:
  Turns(const Problem& problem, double null_objective)
      : problem_(problem), null_objective_(null_objective), descent_(problem) {}
  // Descent begins, at the pair if that is warm, with Newton as the rival in the budget. Ends as
  // Stopped (thrown) with a pair, too.
  Outcome run(Budget& budget, Pair& pair, Watch& watch);
  // What the one who arrived has; the better one's if nobody did.
  Pair pair() const;

 private:
  Outcome alternate(Budget& budget, Watch& watch);
  void start_newton(Watch& watch);

  const Problem& problem_;
  double null_objective_;
  Descent descent_;
  std::optional<Newton> newton_;
  bool by_descent_ = true;  // who has the turn
  bool arrived_ = false;
};

}  // namespace banditcd::svm
