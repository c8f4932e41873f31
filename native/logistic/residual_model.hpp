// A model minimized without its matrix, by epochs over the columns of the pool.
//
// On X itself the pulls take the place of a residual, with row weights h. On a packed copy of the
// columns, in which row i is multiplied by the root of h_i, no weights are looked up in the sweeps.
#pragma once
#include <vector>

#include "logistic/model_problem.hpp"
#include "quadratic/residual.hpp"

namespace banditcd::logistic {

class ResidualModel {
 public:
  // Moves x from the coefficients of the pool to the minimizer; on X, or on a packed copy of it.
  void solve(const ModelProblem& problem, WeightedColumns& columns, std::vector<double>& x,
             Work& work, Watch& watch);
  void solve_packed(const ModelProblem& problem, WeightedColumns& columns, std::vector<double>& x,
                    Work& work, Watch& watch);
  std::size_t epochs() const { return residual_.epochs(); }

 private:
  void pack(const ModelProblem& problem, WeightedColumns& columns);
  void descend(ResidualProblem problem, const Accuracy& wanted, Watch& watch);

  ScaledColumns packed_;
  ColumnFacts packed_facts_;     // by place
  std::vector<Index> position_;  // the columns of the packed copy: 0, 1, ...
  std::vector<double> root_, pull_, c_;
  ResidualSolver residual_;
};

}  // namespace banditcd::logistic
