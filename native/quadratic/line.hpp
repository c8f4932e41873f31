// The solution as a function of the penalty: with the support and its signs fixed, a straight line.
//
// While no coefficient reaches zero and no column its threshold, the optimality conditions
// G_SS x_S = q_S - l1 p_S sign(x_S) are linear in l1 (Osborne, Presnell & Turlach 2000; Efron et
// al. 2004). One factorization of the support gives all solutions between two such events.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "quadratic/quadratic.hpp"

namespace banditcd {

class SolutionLine {
 public:
  // Finds the line through a solution at l1. What is left of the gradient on the support is taken
  // out first, which moves the point. False, with nothing changed, if there is no line: bounds, an
  // L2 term, a singular support, or a sign that would change.
  bool start(Quadratic& at, double l1, Watch& watch);
  // How far l1 may fall before something happens.
  double reach() const { return reach_; }
  // Moves the point along the line, to the penalty l1 - fall.
  void follow(Quadratic& at, double fall, Watch& watch) const;

 private:
  bool collect(const Quadratic& at, double l1);
  bool solve(const Quadratic& at, Watch& watch);
  void find_reach(const Quadratic& at, double l1);

  std::vector<std::size_t> support_;
  std::vector<double> correction_, direction_, image_;
  Cholesky factor_;
  double reach_ = 0.0;
};

}  // namespace banditcd
