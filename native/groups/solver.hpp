// Group Lasso and multi-task Lasso: bins of lazy pass, certificate, pool and inner solve.
#pragma once
#include <vector>

#include "groups/iterate.hpp"
#include "groups/steps.hpp"
#include "solve/report.hpp"

namespace banditcd::groups {

class Solver {
 public:
  Solver(Data data, Layout layout, std::size_t pool_bytes);
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Minimizes for l1 |W_g| + l2/2 |W_g|^2, each times the weight of its group.
  Report solve(double l1, double l2, const Limits& limits);
  // Starts the next solve here. coef: by task and column; intercept: by task, or null.
  void set_point(const double* coef, const double* intercept, const Limits& limits);
  // The smallest l1 whose solution has no penalized non-zero.
  double largest_penalty(const Limits& limits);
  std::size_t tasks() const { return at_.tasks(); }
  std::size_t cols() const { return at_.cols(); }
  // Of the point of the last solve, by task (and column).
  void coefficients(double* out) const;
  void intercepts(double* out) const;

 private:
  struct Point {
    std::vector<double> coef, intercept;
  };
  void start(Watch& watch);
  void survey(Watch& watch);
  void check_columns(double l1, double l2) const;
  Status solve_at(double target, const Limits& limits, Report& report, Watch& watch);
  void lazy_pass(bool first, Watch& watch);
  // Lets violators into the pool. Returns whether there were any.
  bool enter();
  bool crowded() const;
  std::size_t places_for(const std::vector<Index>& violators) const;
  void keep_blocks_in_use();
  Point here() const;
  void finish(Report& report, const Watch& watch) const;

  Iterate at_;
  Steps steps_;
  Point best_;  // of the best certificate of this solve
  bool started_ = false;
};

}  // namespace banditcd::groups
