// The fast solver for the logistic loss with an L1 or elastic-net penalty, certified.
//
//   min over w, b of  sum_i s_i log(1 + exp(-y_i (x_i . w + b)))
//                     + sum_j p_j (l1 |w_j| + l2 / 2 w_j^2)
//   subject to lower_j <= w_j <= upper_j,
//
// in sums, not means: the caller multiplies by n. One bin refreshes, lazily, what is known about
// all columns, then takes proximal Newton steps on a working set; solve_at() in solver.cpp is the
// whole algorithm. Options, limits and reports are those of the fast solver for squared loss.
#pragma once
#include <memory>
#include <vector>

#include "elastic_net/solver.hpp"
#include "logistic/certificate.hpp"
#include "logistic/model.hpp"
#include "logistic/point.hpp"
#include "solve/snapshots.hpp"

namespace banditcd::logistic {

// What is known about the columns whatever the labels are: squares and means without weights.
using Norms = std::shared_ptr<const ColumnFacts>;

class LogisticSolver {
 public:
  // norms: those of another solver on the same X, or null.
  LogisticSolver(std::unique_ptr<Design> design, const FitData& data, std::size_t pool_bytes,
                 Norms norms);

  // Starts from the point and the snapshots of the previous call.
  Report solve(double l1, double l2, const Limits& limits);
  void set_point(const double* coef, double intercept, const Limits& limits);
  const std::vector<double>& coefficients() const { return coef_; }
  double intercept() const { return point_.intercept() - shift_of(coef_.data()); }
  double null_objective() const { return point_.null_loss(); }
  // The smallest l1 whose solution has no penalized non-zero.
  double largest_penalty(const Limits& limits);
  const Norms& norms() const { return norms_; }

 private:
  void start(Watch& watch);
  void survey(Watch& watch);
  void require_finite_squares() const;
  void center_far_columns(Watch& watch);
  double shift_of(const double* coef) const;
  void leave_bad_start(Watch& watch);
  bool start_from_sample(Watch& watch);
  void descend_to(double l1, double l2, const Limits& limits, Report& report, Watch& watch);
  double steepness() const;
  std::vector<Index> sampled_rows() const;
  void move_to(const std::vector<double>& coef, double intercept, Watch& watch);
  void predict(const std::vector<Index>& columns, const std::vector<double>& coef,
               std::vector<double>& out, Watch& watch);

  Status solve_at(double target, const Limits& limits, Report& report, Watch& watch);
  bool may_violate(Index j) const;
  void lazy_pass(Watch& watch);
  void forget_point();
  Certificate certify();
  Certificate certify_working();
  bool free_column_pulls(Index j, double c, const Penalty& g) const;
  bool choose_working();
  std::size_t columns_to_add(std::size_t size) const;
  void add_working(Index j);
  bool improve(double gap, double target, int steps, Watch& watch);
  void judge_entered();
  bool use_sample();
  void use_more_rows(bool sampled);
  bool advance(Watch& watch);
  void correlate_working(Watch& watch);
  double penalty_along(double t) const;
  Report degenerate_report() const;
  double primal() const;
  void restore(Certificate& certificate) const;
  void read(std::size_t entries) { entries_read_ += static_cast<double>(entries); }

  std::unique_ptr<Design> design_;
  FitData data_;
  Labels labels_;
  Penalties penalties_;
  std::size_t pool_bytes_;
  Norms norms_;
  bool centered_ = false;  // the design is a copy without the means of the columns
  bool started_ = false, touched_ = false, cut_ = false;  // touched: a start was given, or a solve
                                                          // has run; cut: so was the last step

  Point point_;
  std::vector<double> coef_;
  std::vector<Index> eligible_;      // columns that may become non-zero
  std::vector<double> length_;       // of the columns
  std::vector<double> correlation_;  // last known <x_j, rho>
  std::vector<Snapshots::Id> seen_;  // and the snapshot it belongs to
  Snapshots snapshots_;
  Snapshots::Id current_ = Snapshots::kNever;  // that of today's pull, if taken
  bool working_fresh_ = false;  // the working set's correlations belong to today's pull
  double pull2_ = 0.0, null_pull2_ = 0.0;
  std::vector<Index> evaluated_, unread_;
  std::vector<char> in_working_;
  Working working_;  // the columns that entered last are at its end
  std::size_t entered_ = 0;
  double precision_ = 1.0;  // of the models, beyond what usually does
  double useful_ = 0.5;     // share of the columns entered lately that became non-zero
  Model model_;
  RowSample sample_;
  bool sample_helps_ = false;    // Newton steps with its curvatures converge quickly
  bool thinning_helps_ = false;  // and those with the curvatures of fewer rows
  std::vector<double> buffer_, predictor_;
  Terms terms_;
  double entries_read_ = 0.0, pass_entries_ = 0.0;
  Phases phases_;
};

}  // namespace banditcd::logistic
