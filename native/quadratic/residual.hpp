// The pool problem without a Gram matrix: coordinate descent on the residual itself.
//
// Used where the pool is too large for its Gram matrix, or its columns so sparse that touching
// them is cheaper than touching a row of it. Anderson extrapolation and conjugate gradients on the
// support take the part that Newton has in Gram space.
#pragma once
#include <vector>

#include "columns/design.hpp"
#include "kernels/cholesky.hpp"
#include "quadratic/quadratic.hpp"
#include "solve/penalty.hpp"

namespace banditcd {

// The pool as this solver sees it. weighted = s * R, changed along with x.
struct ResidualProblem {
  Design* design;
  const Rowspace* space;
  const ColumnFacts* facts;
  std::size_t size;
  const Index* column;
  const Penalty* g;
  double* x;
  double* c;  // correlations at the start; refreshed by the solver
  double* weighted;
  std::size_t gram_limit = 0;  // columns whose Gram matrix fits the memory cap
  int gradient_steps = 60;     // conjugate gradients in a Newton step, at most
  // Stop as well when two epochs lower the objective by no more than this share of what all of them
  // did: the next problem will be another one. Zero asks for the gap alone.
  double least_progress = 0.0;
  // Gap from which on the solve goes to its target only while that is cheap, beside what it took to
  // get here; zero: it goes on whatever that costs.
  double enough = 0.0;
};

class ResidualSolver {
 public:
  // Lowers the gap of the pool to target (absolute), or as far as rounding allows.
  void solve(const ResidualProblem& problem, double target, Watch& watch);
  // Moves the columns without any penalty to their minimizer: the residual becomes orthogonal to
  // them, as the dual point has to be.
  void settle_free_columns(const ResidualProblem& problem, Watch& watch);
  std::size_t epochs() const { return epochs_; }
  // Whether the last solve ended between enough and its target.
  bool costly() const { return costly_; }

 private:
  static constexpr std::size_t kMemory = 5;
  void choose_active(const ResidualProblem& problem);
  void order_cold_start(const ResidualProblem& problem);
  std::size_t sweep_active(const ResidualProblem& problem, Watch& watch);
  double square(const ResidualProblem& problem, const double* weighted) const;
  double objective(const ResidualProblem& problem, const double* x_active,
                   const double* weighted) const;
  double pool_objective(const ResidualProblem& problem) const;
  std::size_t support(const ResidualProblem& problem) const;
  bool fading(const ResidualProblem& problem);
  Certificate certificate(const ResidualProblem& problem, Watch& watch);
  void extrapolate(const ResidualProblem& problem);
  bool newton(const ResidualProblem& problem, Watch& watch);
  bool projected_step(const ResidualProblem& problem, double t, Watch& watch);
  void cut_step(const ResidualProblem& problem, Watch& watch);
  void gradient(const ResidualProblem& problem, Watch& watch);
  bool direct_pays(const ResidualProblem& problem) const;
  bool solve_directly(const ResidualProblem& problem, Watch& watch);
  void conjugate_gradients(const ResidualProblem& problem, Watch& watch);
  void combine(const ResidualProblem& problem, const double* direction, Watch& watch);

  std::vector<Index> active_;  // positions in the pool
  std::vector<Index> free_;    // positions that Newton moves
  std::vector<Index> columns_;
  std::vector<double> history_x_[kMemory + 1], history_v_[kMemory - 1];
  std::vector<double> trial_x_, direction_, gradient_, change_, step_;
  Terms terms_;
  Cholesky factor_;
  bool ridge_before_ = false, costly_ = false;
  double first_ = 0.0, last_ = 0.0;  // objectives: at the start, when fading() was last asked
  std::size_t stored_ = 0, epochs_ = 0;
  int products_ = 0;  // with X and its transpose, of conjugate gradients
};

}  // namespace banditcd
