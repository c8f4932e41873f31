// The quadratic model in Gram space: its Hessian
//     sum_i s_i x_ij x_ij' ([k = k'] p_ik - p_ik p_ik')
// by products of packed columns, the intercepts taken out by a Schur complement, and minimized by
// the solver of pools (quadratic/inner.hpp).
#pragma once
#include "multinomial/pool.hpp"
#include "multinomial/strategy.hpp"
#include "quadratic/inner.hpp"

namespace banditcd::multinomial {

class GramModel {
 public:
  void solve(const ModelProblem& model, ModelStep& out, Watch& watch) {
    fill(model, watch);
    minimize(model, out, watch);
  }
  // The matrix of this model, and the minimizer of any model on the same coordinates with it.
  void fill(const ModelProblem& model, Watch& watch);
  void minimize(const ModelProblem& model, ModelStep& out, Watch& watch);
  // Gives the matrix the curvature that the last step has met, from the correlations at its end
  // (Broyden, Fletcher, Goldfarb and Shanno 1970).
  void learn(const ModelProblem& model);
  // Epochs and Newton steps of all solves.
  std::size_t epochs() const { return inner_.epochs(); }
  std::size_t newtons() const { return inner_.newtons(); }
  // What a solve takes, in nanoseconds, beside its epochs.
  static double cost(std::size_t rows, std::size_t size);

 private:
  void find_pulls(const ModelProblem& model);
  void add_block(const ModelProblem& model, std::size_t first, std::size_t count);
  void pack(const ModelProblem& model, std::size_t c, std::size_t first, std::size_t count,
            bool root);
  void take_out_intercepts(std::size_t size, Watch& watch);
  void find_shift(const ModelProblem& model, ModelStep& out) const;

  std::size_t free_ = 0;    // intercepts: coordinates behind those of the pool
  std::size_t stride_ = 0;  // of the Gram matrix
  std::size_t lane_ = 0;    // of packed columns
  AlignedBuffer gram_, packed_;
  std::vector<double> factor_;
  Cholesky intercepts_;
  std::vector<double> border_;          // the rows of the intercepts
  std::vector<double> pull_;            // of the intercepts, where they are not balanced
  std::vector<double> diagonal_;        // before the intercepts were taken out
  AlignedVector c_, before_;            // correlations; those that the last step began with,
  std::vector<double> from_, product_;  // and its coefficients; the matrix times the step
  std::vector<double> q_;
  Terms terms_;
  InnerSolver inner_{kModelEpochs};
};

}  // namespace banditcd::multinomial
