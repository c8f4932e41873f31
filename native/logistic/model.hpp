// The minimizer of a quadratic model, by the way that costs least: in Gram space, on a packed copy
// of the columns, or on X.
#pragma once
#include "logistic/gram_model.hpp"
#include "logistic/residual_model.hpp"

namespace banditcd::logistic {

class Model {
 public:
  // limit: columns whose matrix fits the memory cap.
  Model(std::size_t limit, bool intercept) : limit_(limit), columns_(intercept) {}
  void solve(const ModelProblem& problem, CurvatureRows& rows, Work& work, Watch& watch);
  const std::vector<double>& minimizer() const { return x_; }
  // How the intercept follows when w moves from that of the pool to the minimizer.
  double intercept_step(const Point& point, const PoolColumns& pool) const;
  bool gram_free() const { return gram_free_; }
  // How well a model is worth minimizing, as a share of the gap: better where that is cheap.
  double share() const { return gram_free_ ? 0.3 : 1e-3; }
  std::size_t epochs() const { return gram_.epochs() + residual_.epochs(); }
  std::size_t newtons() const { return gram_.newtons(); }
  std::size_t given_up() const { return gram_.given_up(); }

 private:
  bool gram_pays(const ModelProblem& problem) const;
  bool sorted_copy_fits(const ModelProblem& problem) const;
  bool copy_fits(const ModelProblem& problem) const;

  std::size_t limit_;
  bool gram_free_ = false;  // the last model was minimized without its matrix
  WeightedColumns columns_;
  std::vector<double> x_;
  GramModel gram_;
  ResidualModel residual_;
};

}  // namespace banditcd::logistic
