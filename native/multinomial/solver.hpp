// Multinomial logistic regression with an L1 part or bounds: proximal Newton steps on a pool of
// coordinates (Lee, Sun and Saunders 2014), certified by a scaled dual point.
#pragma once
#include <memory>

#include "multinomial/best_point.hpp"
#include "multinomial/column_lengths.hpp"
#include "multinomial/gram_model.hpp"
#include "multinomial/matrix_rental.hpp"
#include "multinomial/ray.hpp"
#include "multinomial/residual_model.hpp"
#include "multinomial/scaled_dual.hpp"

namespace banditcd::multinomial {

// Passes over X, and work in nanoseconds of the price list.
struct Spent {
  double passes = 0.0, work = 0.0;
};

class Multinomial {
 public:
  Multinomial(std::unique_ptr<ClassColumns> X, const Problem& problem, std::size_t pool_bytes);
  Multinomial(const Multinomial&) = delete;  // the parts refer to problem_
  Multinomial& operator=(const Multinomial&) = delete;

  // From the last point on.
  Report solve(double l1, double l2, const Limits& limits);
  void start_at(const double* coef, const double* intercept) { point_.set(coef, intercept); }
  void write(double* coef, double* intercept) const { point_.write(coef, intercept); }
  // The smallest l1 at which no penalized coefficient of any class is non-zero.
  double largest_penalty(const Limits& limits);
  // For tests and measurements; otherwise the cost model chooses.
  void force(bool in_gram_space) { forced_ = in_gram_space ? 1 : 0; }

 private:
  void begin(Watch& watch);
  void evaluate(Watch& watch);
  void correlate(Watch& watch);
  void certify(Report& report);
  bool improve(const Report& report, Watch& watch);
  double bin_share(double work_before) const;
  double gram_price() const;
  bool in_gram_space() const;
  void refresh_pool(Watch& watch);
  bool step_on_model(bool gram, double wanted, Watch& watch);
  double pool_gap();
  double advance(Watch& watch);
  void finish(Report& report);

  std::unique_ptr<ClassColumns> X_;
  Problem problem_;
  std::size_t pool_bytes_;
  int forced_ = -1;
  Point point_;
  std::vector<Index> eligible_;
  ColumnLengths lengths_;
  AlignedVector u_;  // X^T theta, like W
  ScaledDual dual_;
  Pool pool_;
  GramModel gram_;
  ResidualModel residual_;
  ModelStep step_;
  AlignedVector change_;
  Ray ray_;
  BestPoint best_;
  MatrixRental rental_;
  Spent spent_;
  double damping_ = 0.0;
  const char* regime_ = "null";
};

}  // namespace banditcd::multinomial
