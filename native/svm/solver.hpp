// The certified linear support vector machine: poses problems, checks what the plan returns.
//
//   min over w, b of  1/2 |w|^2 + C sum_i s_i loss(y_i (x_i . w + b)),
//
// loss = hinge or squared hinge; no intercept, a penalized one (an appended constant feature) or a
// free one. Plan::attempt (plan.cpp) chooses between Descent, Newton and GramSpace; the constants
// are in strategy.hpp.
#pragma once
#include <vector>

#include "solve/report.hpp"
#include "svm/budget.hpp"
#include "svm/pair.hpp"

namespace banditcd::svm {

struct Options {
  Loss loss = Loss::kSquaredHinge;
  bool free_bias = false;
  const double* sample_weight = nullptr;  // borrowed, one per stored row; null means ones
};

class SvmSolver {
 public:
  SvmSolver(Rows rows, const Options& options);
  SvmSolver(const SvmSolver&) = delete;
  SvmSolver& operator=(const SvmSolver&) = delete;

  // Starts from the dual variables of the previous call, clipped to the new box. The target is
  // limits.tol of the null model's objective, and at most `of_objective` of the objective itself.
  // Throws std::invalid_argument, before anything is done, if C or the responses are on a scale
  // whose squares leave float64.
  Report solve(double C, const Limits& limits, double of_objective = kInfinity);
  // The only method (Plan::force).
  void force_regime(Regime regime) { forced_ = regime; }
  void set_duals(const double* a);
  const std::vector<double>& weights() const { return w_; }  // rows.dim() values
  const std::vector<double>& duals() const { return a_; }    // one per row, after a solve
  const Rows& rows() const { return rows_; }
  // The objective of the null model, to which tolerances are relative.
  double null_objective(double C) {
    build(C);
    return null_objective();
  }
  // The best constant prediction and its objective; for rows without labels, or with an intercept
  // that is not free.
  Constant null_model(double C) {
    build(C);
    return best_null();
  }

 private:
  void build(double C);
  double null_objective() const;
  bool trivial(Pair& pair) const;
  Constant best_null() const;
  void set_null(double intercept, std::vector<double>& w) const;
  void start(Pair& pair, Watch& watch);
  bool still_fine(double C, Pair& pair, Report& report) const;
  void improve(Budget& budget, Pair& pair, Report& report, Watch& watch);
  bool tighten(Report& report) const;
  Certificate certificate(Pair& pair, double target) const;
  void fall_back(Pair& pair, Certificate& certificate) const;
  void store(Pair pair, double C);
  double weight_of(std::size_t i) const {
    return options_.sample_weight == nullptr ? 1.0 : options_.sample_weight[rows_.stored_of(i)];
  }
  double square_of(std::size_t i) const {
    return square_[rows_.stored_of(i)] + rows_.constant() * rows_.constant();
  }
  bool is_empty(std::size_t i) const { return !(square_of(i) > 0.0); }
  double goal_of(std::size_t i) const { return rows_.goal(static_cast<Index>(i)); }

  Rows rows_;
  Options options_;
  std::vector<double> square_;  // |x_i|^2 of the stored rows
  double largest_square_ = 0.0, largest_weight_ = 0.0;
  Problem problem_;
  double constant_loss_ = 0.0;  // of empty rows, whose margin is always 0
  Constant null_;               // of paired rows, without the empty ones
  std::vector<double> w_, a_;
  bool warm_ = false;
  // What the last pair was the answer to, and its gap.
  struct Kept {
    double C = 0.0, gap = kInfinity;
    Regime regime = Regime::kNull;
  } kept_;
  Regime forced_ = Regime::kNull;
  double of_objective_ = kInfinity;
};

}  // namespace banditcd::svm
