// The bins of a solve: one bin refreshes what is known about all columns, then works on the pool
// alone. solve_at() in bins.cpp is the whole algorithm.
#pragma once
#include <memory>
#include <vector>

#include "elastic_net/certifier.hpp"
#include "elastic_net/plan.hpp"
#include "elastic_net/pool.hpp"
#include "elastic_net/pool_minimizer.hpp"
#include "elastic_net/ranking.hpp"
#include "elastic_net/residual.hpp"
#include "elastic_net/training_data.hpp"
#include "solve/lazy_columns.hpp"
#include "solve/report.hpp"

namespace banditcd::elastic_net {

class Bins {
 public:
  Bins(std::unique_ptr<Design> design, const FitData& fit, std::size_t pool_bytes,
       const Purpose& purpose);
  Bins(const Bins&) = delete;
  Bins& operator=(const Bins&) = delete;

  TrainingData& data() { return data_; }
  const LazyColumns& columns() const { return columns_; }
  Pool& pool() { return pool_; }
  Residual& residual() { return residual_; }
  Plan& plan() { return plan_; }

  // The next solve is at these penalties; what it costs is counted from here.
  void set_penalties(double l1, double l2);
  // The first pass, once.
  void survey(Watch& watch);
  // Lets the columns in that must be in the pool from the beginning.
  void start_pool(Watch& watch);
  // Bins until the gap is at most target.
  Status solve_at(double target, double max_iter, Report& report, Watch& watch);
  // One bin without a certificate, or two if many columns still violate after the first: what is
  // found here only has to be a good start. Returns how many there were.
  std::size_t rough_bins(double target, Watch& watch);
  void grow_pool(const std::vector<Index>& columns, Watch& watch);
  void solve_pool(double target, Watch& watch);
  // Commits the coefficients of the pool with their residual.
  void refresh_residual(Watch& watch);
  // After an interruption: back to the committed point, with what is still known about it.
  void restore(Certificate& certificate);
  // Back to the null model, from a point that is worse.
  void retreat(Certificate& certificate);
  // Adds to a report how the solve was done and what it cost.
  void describe(Report& report);

 private:
  void lazy_pass(double share, Watch& watch);
  std::vector<Index> likely_columns(Watch& watch);
  std::vector<Index> best_columns();
  Certificate certify();
  void correlate_pool(Watch& watch);
  void verify(Watch& watch);
  void make_exact(Watch& watch);
  double inner_target(double target, double gap, bool no_violator);

  TrainingData data_;
  LazyColumns columns_;
  Pool pool_;
  Residual residual_;
  Plan plan_;
  PoolMinimizer minimizer_;
  Ranking ranking_;
  Certifier certifier_;
  std::vector<double> buffer_;  // correlations of the pool
  Phases phases_;
  bool surveyed_ = false;
  double sure_ = 0.0;     // a gap at which digits that are not cheap may be left out
  bool stalled_ = false;  // the solve before could not reach its target
};

}  // namespace banditcd::elastic_net
