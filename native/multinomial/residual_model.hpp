// The quadratic model without a matrix: coordinate descent on the change of the predictors, for
// pools whose Gram matrix would cost more than many epochs.
#pragma once
#include "multinomial/pool.hpp"

namespace banditcd::multinomial {

class ResidualModel {
 public:
  void solve(const ModelProblem& model, ModelStep& out, Watch& watch);

 private:
  void fill(const ModelProblem& model, Watch& watch);
  double sweep(const ModelProblem& model, ModelStep& out, Watch& watch);
  double sweep_intercepts(const ModelProblem& model, ModelStep& out);

  std::vector<ClassCell> cell_;  // by row and class
  std::vector<double> mean_;     // by row
  std::vector<ClassCoordinate> coordinate_;
  std::vector<double> total_;  // curvature of the intercepts
};

}  // namespace banditcd::multinomial
