// A point of the solve: coefficients, the loss there, and what is known of the blocks.
#pragma once
#include <memory>
#include <vector>

#include "groups/lazy_blocks.hpp"
#include "groups/loss.hpp"
#include "logistic/centered_design.hpp"

namespace banditcd::groups {

// X, the loss and its intercepts.
struct Data {
  std::unique_ptr<Design> design;
  std::unique_ptr<Loss> loss;
  bool intercept = false;
};

struct Iterate {
  Iterate(Data data, Layout groups);
  Iterate(const Iterate&) = delete;
  Iterate& operator=(const Iterate&) = delete;

  std::size_t tasks() const { return loss->tasks(); }
  std::size_t cols() const { return design->cols(); }
  void set_penalties(double norm, double square);
  bool in_use(std::size_t g) const;
  // Coefficients of the pool, by task and position.
  std::vector<double> pool_coefficients() const;
  // Their predictors, by task and row; any coefficients of the pool will do.
  void predict(const std::vector<double>& x, std::vector<double>& out, Watch& watch);
  // Correlations of the pool with today's pull.
  void correlate_pool(Watch& watch);
  // The certificate, from the pool and the other blocks that the last pass evaluated.
  Certificate certify(bool with_others);
  // The pull has moved.
  void forget() {
    lazy.forget();
    fresh = false;
  }

  logistic::CenteredDesign design;
  std::unique_ptr<Loss> loss;
  Layout layout;
  bool intercept;
  Pool pool;
  LazyBlocks lazy;
  ColumnFacts facts;            // squares and means of the columns
  std::vector<double> coef, c;  // by task and column; of the pool, by task and position
  bool fresh = false;           // whether c belongs to today's pull
  double l1 = 0.0, l2 = 0.0;
  double entries_read = 0.0;
};

}  // namespace banditcd::groups
