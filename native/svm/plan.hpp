// The plan: which method solves which problem, and what happens when it does not get there.
#pragma once
#include <optional>

#include "svm/budget.hpp"
#include "svm/gram_space.hpp"
#include "svm/newton.hpp"
#include "svm/pair.hpp"

namespace banditcd::svm {

class Plan {
 public:
  Plan(const Problem& problem, double null_objective)
      : problem_(problem), rows_(&problem.rows->stored()), null_objective_(null_objective) {}
  // The only method, kDescent, kNewton (kProximalNewton for the hinge) or kGram. Throws
  // std::invalid_argument if the problem is not for it.
  void force(Regime regime);
  // Improves a pair until its gap is probably below the target of the budget.
  Outcome choose(Budget& budget, Pair& pair, Watch& watch);

 private:
  using Way = Outcome (Plan::*)(Budget& budget, Pair& pair, Watch& watch);
  struct Rivals {
    const Rival &products, &matrix;
  };
  Budget to_the_last_step(const Budget& budget) const;
  bool tall() const;
  bool easy(const Budget& budget) const;
  Outcome attempt(Budget& budget, Pair& pair, Watch& watch);
  Outcome go_on(Budget& budget, Pair& pair, Watch& watch);
  void keep_better(const Pair& before, Pair& pair) const;
  Outcome follow(Budget& budget, Pair& pair, Watch& watch);
  Outcome descend_against(const Rival& rival, Budget& budget, Pair& pair, Watch& watch);
  Outcome take_over(Way way, Budget& budget, Pair& pair, Watch& watch);
  Outcome descend(Budget& budget, Pair& pair, Watch& watch);
  void begin(std::optional<Newton>& method, Steps steps, Pair& pair, Watch& watch) const;
  Outcome newton(Budget& budget, Pair& pair, Watch& watch);
  Outcome in_turns(const Rivals& rivals, Budget& budget, Pair& pair, Watch& watch);
  Outcome in_gram_space(Budget& budget, Pair& pair, Watch& watch);

  const Problem& problem_;
  const StoredRows* rows_;  // of the problem
  double null_objective_;
  Regime forced_ = Regime::kNull;  // kNull: the plan chooses
  std::optional<GramSpace> gram_;  // once it was built
};

}  // namespace banditcd::svm
