// Group Lasso and multi-task Lasso: bins of lazy pass, certificate, pool and inner solve.
#pragma once
#include <memory>
#include <vector>

#include "groups/inner.hpp"
#include "groups/lazy_blocks.hpp"
#include "groups/loss.hpp"
#include "logistic/centered_design.hpp"
#include "solve/report.hpp"

namespace banditcd::groups {

// X, the loss and its intercepts.
struct Data {
  std::unique_ptr<Design> design;
  std::unique_ptr<Loss> loss;
  bool intercept = false;
};

class Solver {
 public:
  Solver(Data data, Layout layout, std::size_t pool_bytes);
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Minimizes for l1 |W_g| + l2/2 |W_g|^2, each times the weight of its group.
  Report solve(double l1, double l2, const Limits& limits);
  // Starts the next solve here. coef: by task and column; intercept: by task.
  void set_point(const double* coef, const double* intercept, const Limits& limits);
  // The smallest l1 whose solution has no penalized non-zero.
  double largest_penalty(const Limits& limits);
  double null_objective() const { return loss_->null_value(); }
  std::size_t tasks() const { return loss_->tasks(); }
  std::size_t cols() const { return design_->cols(); }
  // Of the point of the last solve, by task (and column).
  void coefficients(double* out) const;
  void intercepts(double* out) const;

 private:
  struct Point {
    std::vector<double> coef, intercept;
  };
  void start(Watch& watch);
  void survey(Watch& watch);
  Status solve_at(double target, const Limits& limits, Report& report, Watch& watch);
  void lazy_pass(bool first, Watch& watch);
  void correlate_pool(Watch& watch);
  Certificate certify_pool(bool with_others);
  // Lets violators into the pool. Returns whether there were any.
  bool enter();
  std::size_t places_for(const std::vector<Index>& violators) const;
  void keep_blocks_in_use();
  bool improve(double gap, double target, bool entering, Watch& watch);
  void solve_model(double target, Watch& watch);
  std::vector<double> packed(const double* root, Watch& watch);
  void solve_on_residual(const Rowspace& space, double target, Watch& watch);
  void find_means(const Rowspace& space, Watch& watch);
  bool advance(Watch& watch);
  double search(const std::vector<double>& to, Watch& watch);
  void commit(const std::vector<double>& to, double step);
  void predict(const std::vector<double>& x, std::vector<double>& out, Watch& watch);
  double penalty_along(const std::vector<double>& to, double step) const;
  bool in_use(std::size_t g) const;
  Point here() const;
  void finish(Report& report, const Watch& watch) const;

  logistic::CenteredDesign design_;
  std::unique_ptr<Loss> loss_;
  Layout layout_;
  bool intercept_, started_ = false;
  std::size_t pool_bytes_;
  double l1_ = 0.0, l2_ = 0.0;
  ColumnFacts facts_;
  Pool pool_;
  LazyBlocks lazy_;
  InnerSolver inner_;
  GramModel gram_;
  ResidualModel residual_;
  Point best_;                    // of the best certificate of this solve
  std::vector<double> coef_, c_;  // by task and column; of the pool, by task and position
  std::vector<double> x_, mean_, predictor_;
  bool fresh_ = false, on_residual_ = false;
  double entries_read_ = 0.0;
};

}  // namespace banditcd::groups
