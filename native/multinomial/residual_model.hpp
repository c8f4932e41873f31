// The quadratic model without a matrix: coordinate descent on the pulls, one class after the other.
//
// Within a class only its own pulls change, by the curvature s p (1 - p); what the others feel is
// the mean sum_k p_k dz_k of a row, which is brought up to date between two classes. That is exact
// coordinate descent on the coupled model.
#pragma once
#include "multinomial/pool.hpp"

namespace banditcd::multinomial {

class ResidualModel {
 public:
  // Epochs until the model promises little more, or until they cost `allowed` nanoseconds. Returns
  // what they cost.
  double solve(const ModelProblem& model, double allowed, ModelStep& out, Watch& watch);
  std::size_t epochs() const { return epochs_; }

 private:
  void fill(const ModelProblem& model, Watch& watch);
  double sweep(const ModelProblem& model, std::size_t k, ModelStep& out, Watch& watch);
  double sweep_intercept(std::size_t k, ModelStep& out);
  double entries_ = 0.0;  // of an epoch
  std::size_t epochs_ = 0;
  // By class, then by row: pulls theta, s p, curvatures, probabilities, and the change of z.
  AlignedVector theta_, weight_, h_, p_, dz_;
  AlignedVector mean_, pull_, change_;  // by row; of all classes, and of the one at hand
  std::vector<ClassCoordinate> coordinate_;
  std::vector<std::size_t> first_;  // coordinate of a class
  std::vector<double> total_;       // curvature of the intercepts
};

}  // namespace banditcd::multinomial
