// A model minimized in Gram space: H = X_S' diag(h) X_S and correlations, no row is read.
#pragma once
#include "logistic/curvature_rows.hpp"
#include "logistic/model_problem.hpp"
#include "quadratic/inner.hpp"

namespace banditcd::logistic {

class GramModel {
 public:
  // Moves x from the coefficients of the pool to the minimizer.
  void solve(const ModelProblem& problem, CurvatureRows& rows, WeightedColumns& columns,
             std::vector<double>& x, Work& work, Watch& watch);
  std::size_t epochs() const { return inner_.epochs(); }
  std::size_t newtons() const { return inner_.newtons(); }
  // Models that were left before they had the accuracy that was wanted. A long one counts
  // more; one that is only passed through counts if it was long.
  std::size_t given_up() const { return given_up_; }

 private:
  // The next model is as good a place to go on: curvatures will have changed.
  static constexpr std::size_t kMostEpochs = 2000;
  void fill(const ModelProblem& problem, CurvatureRows& rows, WeightedColumns& columns, Work& work,
            Watch& watch);

  AlignedBuffer gram_;
  std::size_t stride_ = 0, rows_ = 0;  // of the matrix; rows that it was made of
  std::vector<double> root_, c_, q_;
  InnerSolver inner_{kMostEpochs};
  Terms terms_;
  std::size_t given_up_ = 0;
};

}  // namespace banditcd::logistic
