// Multinomial logistic regression with an L1 part or bounds: proximal Newton steps on a pool of
// coordinates (Lee, Sun and Saunders 2014), certified by a scaled dual point.
#pragma once
#include <memory>

#include "multinomial/best_point.hpp"
#include "multinomial/column_lengths.hpp"
#include "multinomial/gram_model.hpp"
#include "multinomial/matrix_rental.hpp"
#include "multinomial/predicted_dual.hpp"
#include "multinomial/ray.hpp"
#include "multinomial/residual_model.hpp"
#include "multinomial/sampled_model.hpp"
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
  // What a step's model says of the dual point at its end.
  enum class Prediction { kNone, kExact, kRough };

  // How a step's quadratic model is minimized, and when a matrix is due.
  struct Models {
    GramModel gram;
    ResidualModel residual;
    SampledModel sampled;
    MatrixRental rental;
    // Of all solves.
    std::size_t epochs() const { return gram.epochs() + residual.epochs() + sampled.epochs(); }
    std::size_t newtons() const { return gram.newtons() + sampled.newtons(); }
  };
  struct Pace {
    double target = 0.0;   // of the gap
    double promise = 0.0;  // the decrease that the last step's model promised, to first order
    double damping = 0.0;
    double enough = 0.0;  // a step that gains less is the last one, if positive
  };

  void begin(Watch& watch);
  void evaluate(Watch& watch);
  void correlate(const AlignedVector& theta, Watch& watch);
  void certify(Report& report);
  void look_ahead(Report& report, Watch& watch);
  void judge_columns();
  bool start_from_sample(const Limits& limits, Watch& watch);
  void choose_pool(Watch& watch);
  bool matrix_of_sample_pays() const;
  bool improve(Report& report, Watch& watch);
  bool improve_on_sample(Report& report, Watch& watch);
  double bin_share(double work_before) const;
  double gram_price() const;
  bool in_gram_space() const;
  void refresh_pool(Watch& watch);
  bool step_on_model(bool gram, double wanted, Watch& watch);
  double pool_gap();
  double advance(Prediction prediction, Watch& watch);
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
  PredictedDual predicted_;
  Pool pool_;
  Models models_;
  ModelStep step_;
  AlignedVector change_;
  Ray ray_;
  BestPoint best_;
  Spent spent_;
  Pace pace_;
  const char* regime_ = "null";
};

}  // namespace banditcd::multinomial
