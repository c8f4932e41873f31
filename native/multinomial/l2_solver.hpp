// L2-regularized multinomial logistic regression by damped Newton steps, with a duality gap as
// certificate: that of the point's own probabilities, or of those that its last step predicted.
#pragma once
#include <optional>

#include "multinomial/best_point.hpp"
#include "multinomial/column_lengths.hpp"
#include "multinomial/direction.hpp"
#include "multinomial/predicted_dual.hpp"
#include "multinomial/ray.hpp"
#include "multinomial/regime.hpp"

namespace banditcd::multinomial {

class L2Multinomial {
 public:
  L2Multinomial(const RowMatrix& X, const Problem& problem);
  L2Multinomial(const L2Multinomial&) = delete;  // the parts refer to problem_
  L2Multinomial& operator=(const L2Multinomial&) = delete;

  // From the last point on.
  Report solve(double l2, const Limits& limits);
  void start_at(const double* coef, const double* intercept);
  void write(double* coef, double* intercept) const { point_.write(coef, intercept); }
  // The only arm, until its steps come to nothing.
  void force(Preconditioning kind) { forced_ = kind; }

 private:
  void change_to(Preconditioning kind, Passes& passes);
  // False: the steps are the strongest already.
  bool strengthen(Passes& passes);
  bool recover(Passes& passes);
  void balance(Passes& passes);
  bool sampling_applies() const;
  void start_from_sample(const Limits& limits, Passes& passes);
  void begin(Passes& passes);
  void evaluate(Passes& passes);
  void find_gradient(Passes& passes);
  double own_gap() const;
  double telling_gap(const Report& report) const;
  void certify(Report& report, Passes& passes);
  bool search(Passes& passes);
  void take(double t, double loss, Passes& passes);
  void keep(double gap, Report& report);
  void look_again(Report& report, Passes& passes);
  // Whether an accepted certificate is that of the coefficients.
  bool holds(Report& report, Passes& passes);
  void settle(Report& report, Passes& passes);

  const RowMatrix& X_;
  Problem problem_;
  std::optional<Preconditioning> forced_;
  Point point_;
  AlignedVector gradient_;
  Direction direction_;
  PredictedDual predicted_;
  Ray ray_;
  Regimes regimes_;
  Preconditioning kind_ = Preconditioning::kBlocks;  // of the steps
  bool rescued_ = false;     // the arms came to nothing: the strongest steps have the last turn
  bool whole_ = true;        // the last step was not cut
  bool stuck_ = false;       // no step has followed a recovery
  double enough_ = 0.0;      // a step that gains less is the last one, if positive
  bool memoryless_ = false;  // whether a step depends on its point alone
  ColumnLengths lengths_;
  BestPoint best_;
  double best_slope_ = kInfinity;  // the square of its gradient
};

}  // namespace banditcd::multinomial
