// The fast solver for a loss of margins with an L1 or elastic-net penalty, certified.
//
//   min over w, b of  sum_i s_i phi(y_i (x_i . w + b)) + sum_j p_j (l1 |w_j| + l2 / 2 w_j^2)
//   subject to lower_j <= w_j <= upper_j,
//
// phi: logistic or squared hinge (loss.hpp); in sums, not means: the caller multiplies by n. One
// bin refreshes, lazily, what is known about all columns, then takes proximal Newton steps on a
// pool; solve_at() in solver.cpp is the whole algorithm, docs/solver.md explains it. The parts and
// what they own:
//   Point           coefficients, predictors, pulls and curvatures of the rows
//   LazyColumns     correlations of all columns and the snapshots that bound them
//   Pool            the columns that the models are about
//   ProximalNewton  models, their rows, and the line search
//   Certifier       the terms of the duality gap
//   Progress        patience, and how careful models have to be
#pragma once
#include <memory>
#include <vector>

#include "logistic/newton.hpp"
#include "solve/fit_data.hpp"
#include "solve/report.hpp"

namespace banditcd::logistic {

// Squares and means of the columns without row weights: the same whatever the labels are.
using Norms = std::shared_ptr<const ColumnFacts>;

class LogisticSolver {
 public:
  // norms: those of another solver on the same X, or null.
  LogisticSolver(std::unique_ptr<Design> design, const FitData& data, std::size_t pool_bytes,
                 Norms norms, LossKind loss = LossKind::kLogistic);

  // Starts from the point and the snapshots of the previous call.
  Report solve(double l1, double l2, const Limits& limits);
  void set_point(const double* coef, double intercept, const Limits& limits);
  const std::vector<double>& coefficients() const { return point_.coef(); }
  double intercept() const { return point_.intercept() - design_.shift(point_.coef()); }
  double null_objective() const { return point_.null_loss(); }
  // The smallest l1 whose solution has no penalized non-zero.
  double largest_penalty(const Limits& limits);
  const Norms& norms() const { return norms_; }

 private:
  // What has been done already: nothing, the first pass, or a move away from the null model.
  enum class State { kNew, kSurveyed, kMoved };

  // setup.cpp
  void set_penalties(double l1, double l2);
  // Without penalties no column may be too short to count.
  void check_penalties() const;
  void start(Watch& watch);
  std::vector<double> survey(Watch& watch);
  std::vector<Index> find_eligible(Watch& watch) const;
  // start.cpp
  void find_start(const Limits& limits, Report& report, Watch& watch);
  void leave_bad_start(Watch& watch);
  bool start_from_sample(Watch& watch);
  void descend_in_stages(const Limits& limits, Report& report, Watch& watch);
  double steepness() const;
  void move_to(const std::vector<double>& coef, double intercept, Watch& watch);
  // solver.cpp
  Status solve_at(double target, const Limits& limits, Report& report, Watch& watch);
  Status solve_on(double target, const Limits& limits, Report& report, Watch& watch);
  void lazy_pass(Watch& watch);
  Report degenerate_report() const;
  void restore(Certificate& certificate) const;

  CenteredDesign design_;
  FitData data_;
  Labels labels_;
  Penalties penalties_;
  std::size_t pool_bytes_;
  Norms norms_;
  LossKind loss_;
  State state_ = State::kNew;
  bool hopeless_ = false;  // since the last one that converged, a solve was left for its models
  Point point_;
  LazyColumns columns_;
  Pool pool_;
  ProximalNewton newton_;
  Certifier certifier_;
  Work work_;
};

}  // namespace banditcd::logistic
