// Steps of a bin: models of the loss on the pool, their minimizers, and how far to follow them.
#pragma once
#include <vector>

#include "groups/inner.hpp"
#include "groups/iterate.hpp"

namespace banditcd::groups {

class Steps {
 public:
  Steps(Iterate& at, std::size_t pool_bytes) : at_(at), pool_bytes_(pool_bytes) {}
  // A new solve: epochs on the residual are trusted again.
  void restart() {
    on_residual_ = false;
    patient_ = true;
    rough_gap_ = kInfinity;
  }
  // One step for a quadratic loss, or while blocks come in; else until the pool is solved.
  void improve(double gap, double target, bool entering, Watch& watch);
  // Whether the last model was minimized without a Gram matrix.
  bool on_residual() const { return on_residual_; }
  const InnerSolver& inner() const { return inner_; }

 private:
  void solve_model(double target, Watch& watch);
  double inner_target(double gap, double target) const;
  bool roughly(const Rowspace& space) const;
  bool updates_are_cheaper_on_residual() const;
  std::vector<double> packed(const double* root, Watch& watch);
  bool solve_on_residual(const Rowspace& space, double target, Watch& watch);
  void find_means(const Rowspace& space, Watch& watch);
  bool advance(Watch& watch);
  double search(Watch& watch);
  void commit(double step);
  double penalty_along(double step) const;

  Iterate& at_;
  std::size_t pool_bytes_;
  InnerSolver inner_;
  GramModel gram_;
  ResidualModel residual_;
  std::vector<double> x_, mean_, predictor_;  // the minimizer of the model; h-weighted means
  bool on_residual_ = false, patient_ = true;
  // Whether the Gram matrix has the digits of single precision; whether these are too few.
  bool rough_ = false, exact_ = false;
  double rough_gap_ = kInfinity;  // before the last step of this solve
};

}  // namespace banditcd::groups
