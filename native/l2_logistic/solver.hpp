// L2-regularized logistic regression, with a duality gap as certificate.
//
// Damped Newton steps, in column or row space, and dual coordinate descent are the arms
// (solve/arms.hpp): each works on the same point, and hands it over if another one is quicker.
// The smaller gap of two dual points counts: the point's own probabilities (point.hpp), projected
// if columns are free (projected_dual.hpp), and those that Newton steps predict (carried_dual.hpp).
#pragma once
#include <optional>
#include <vector>

#include "l2_logistic/carried_dual.hpp"
#include "l2_logistic/certified_point.hpp"
#include "l2_logistic/dual_descent.hpp"
#include "l2_logistic/projected_dual.hpp"
#include "l2_logistic/regime.hpp"
#include "solve/arms.hpp"
#include "solve/report.hpp"

namespace banditcd::l2_logistic {

class L2Logistic {
 public:
  explicit L2Logistic(const Problem& problem);
  L2Logistic(const L2Logistic&) = delete;  // the parts refer to problem_
  L2Logistic& operator=(const L2Logistic&) = delete;

  // From the last point on.
  Report solve(double lambda, const Limits& limits);
  void start_at(const double* coef, double intercept) { point_.set(coef, intercept); }
  const std::vector<double>& coef() const { return point_.w; }
  double intercept() const { return point_.b; }
  // p of the carried dual point alpha = y s p, and whether the certificate of the last solve is
  // its.
  const std::vector<double>& carried() const { return carried_.probabilities(); }
  bool was_carried() const { return was_carried_; }
  // The only arm; a solve throws std::invalid_argument if the problem is not for it.
  void force_regime(Regime regime) { forced_ = regime; }

 private:
  // What the arms of one solve share, and how a turn ends: the solve is done, or the turn is over.
  struct Round {
    const Limits& limits;
    Report& report;
    Passes& passes;
    Arms& arms;
  };
  enum class Turn { kDone, kOver };
  std::vector<Regime> enter(Arms& arms, double tol) const;
  void start_from_sample(const Limits& limits, Passes& passes);
  Turn descend_dual(Round& round);
  Turn take_newton_steps(Round& round);
  double seen_gap() const;
  bool certify_dual(Report& report, Passes& passes);
  void start_in_row_space(const Limits& limits, Passes& passes);
  void start_newton(double target, Passes& passes);
  void certify(Report& report, Passes& passes);
  void restore(Report& report);
  void take_null(Report& report);
  void settle(Report& report, Passes& passes);
  void complete(Report& report, const Passes& passes);

  Problem problem_;
  double null_objective_;
  std::optional<Regime> forced_;
  Regime regime_ = Regime::kNewton;
  Point point_;
  NewtonDirection direction_;
  LineSearch search_;
  CarriedDual carried_;
  ProjectedDual projected_;
  DualDescent dual_descent_;
  CertifiedPoint best_;
  bool from_row_space_ = false;  // carried_ was started there
  bool was_carried_ = false;
};

}  // namespace banditcd::l2_logistic
