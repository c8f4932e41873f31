// Descent and Newton's method by conjugate gradients in turns, each going on from its own point;
// and Newton's method by a matrix, which is the last to be tried.
//
// Newton starts from the weights of descent, but nothing is handed back: the dual variables of
// margins are far from optimal until w is nearly so, and descent would have to begin anew.
#pragma once
#include <optional>

#include "svm/descent.hpp"
#include "svm/newton.hpp"

namespace banditcd::svm {

class DescentNewtonTurns {
 public:
  // last: the budget of the matrix.
  DescentNewtonTurns(const Problem& problem, double null_objective, const Budget& last)
      : problem_(problem), null_objective_(null_objective), last_(last), descent_(problem) {}
  // Descent begins, at the pair if that is warm, with the two as the rivals in the budget. Ends as
  // Stopped (thrown) with a pair, too.
  Outcome run(Budget& budget, Pair& pair, Watch& watch);
  // What the one who arrived has; the better one's if nobody did. Once: dual variables are given
  // away.
  Pair last_pair();

 private:
  Outcome take_turn(Method method, Budget& budget, Pace& pace, Watch& watch);
  Outcome by_matrix(Budget& budget, Watch& watch);
  Pair pair_of(Method method);
  std::vector<double> newton_start(Watch& watch);

  const Problem& problem_;
  double null_objective_;
  Budget last_;
  Descent descent_;
  std::optional<Newton> products_, matrix_;
  Method method_ = Method::kDescent;  // who has the turn
  bool arrived_ = false;
};

}  // namespace banditcd::svm
