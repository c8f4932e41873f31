#include "l2_logistic/solver.hpp"

#include <algorithm>
#include <cmath>

#include "l2_logistic/row_sample.hpp"
#include "l2_logistic/row_space.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {

L2Logistic::L2Logistic(const Problem& problem)
    : problem_(problem),
      null_objective_(problem.null_objective()),
      point_(problem_),
      direction_(problem_),
      search_(problem_),
      carried_(problem_),
      projected_(problem_),
      dual_descent_(problem_) {}

// Main loop: a start by the regime, then Newton steps until a certificate holds.
Report L2Logistic::solve(double lambda, const Limits& limits) {
  Passes passes(*problem_.X, limits);
  Report report;
  report.target = limits.tol * null_objective_;
  // 1. The regime, by what each would cost at this penalty.
  problem_.lambda = lambda;
  projected_.forget();
  best_.clear();
  from_row_space_ = was_carried_ = false;
  regime_ = forced_ ? *forced_ : choose_regime(problem_);
  try {
    // 2. Many rows, and no start given: start at the solution of a sample.
    if (point_.is_zero() && sampling_applies(problem_, regime_)) start_from_sample(limits, passes);
    // 3. Wide rows: dual descent, which gives up early where it is slow.
    if (regime_ == Regime::kDualDescent && !descend_dual(limits, report, passes) && !forced_ &&
        row_space_applies(problem_))
      regime_ = Regime::kRowSpace;
    // 4. Few rows: start at the solution in row space.
    if (regime_ == Regime::kRowSpace) start_in_row_space(limits, passes);
    // 5. Newton steps.
    if (!report.accepted()) start_newton(report.target, passes);
    const DirectionBy method =
        regime_ == Regime::kNewton ? DirectionBy::kFactor : DirectionBy::kConjugateGradients;
    double lowest = kInfinity;
    std::size_t idle = 0;
    for (; !report.accepted(); ++report.iterations) {
      // 5a. The gap of the point's own dual point and of the carried one.
      certify(report, passes);
      if (report.accepted()) break;
      // 5b. Rounding stops the decrease, or the limit is reached.
      idle = point_.primal < lowest ? 0 : idle + 1;
      lowest = std::min(lowest, point_.primal);
      if (idle > kPatience) break;
      if (static_cast<double>(report.iterations) >= limits.max_iter) {
        report.status = Status::kMaxIter;
        break;
      }
      // 5c. The direction, the search along it, and the dual point that it predicts.
      direction_.find(point_, method, passes);
      if (!search_.run(point_, direction_, passes)) break;
      carried_.follow(point_, direction_, search_);
    }
    // 6. The point with the smallest gap, certified once more where columns are free.
    if (!report.accepted()) settle(report, passes);
    if (report.accepted()) report.status = Status::kConverged;
  } catch (const Stopped& stopped) {
    report.status = status_of(stopped);
    restore(report);
  }
  complete(report, passes);
  return report;
}

void L2Logistic::start_from_sample(const Limits& limits, Passes& passes) {
  const RowSample sample(problem_);
  L2Logistic small(sample.problem());
  small.force_regime(regime_);
  const Report report =
      small.solve(sample.problem().lambda,
                  passes.watch().nested(std::max(limits.tol, kSampleTolerance), limits.max_iter));
  passes.add(sample.share() * report.passes);
  passes.watch().check();  // what stopped the inner solve stops this one, before its point is used
  start_at(small.coef().data(), small.intercept());
}

bool L2Logistic::descend_dual(const Limits& limits, Report& report, Passes& passes) {
  const DualDescent::Goal goal = {report.target, limits.max_iter,
                                  [&] { return certify_dual(report, passes); }};
  return dual_descent_.run(point_, goal, report.iterations, passes);
}

// The constraint of an intercept holds neither for the p of the descent nor for q, which is
// projected then; otherwise p certifies w.
bool L2Logistic::certify_dual(Report& report, Passes& passes) {
  if (problem_.intercept) {
    point_.evaluate(passes);
    best_.keep(point_, projected_.gap(point_, report.target, passes), report);
    return report.accepted();
  }
  const double gap = carried_.certify_logits(dual_descent_.logits(), point_, report.target, passes);
  best_.keep(point_, gap, report);
  return was_carried_ = report.accepted();
}

void L2Logistic::start_in_row_space(const Limits& limits, Passes& passes) {
  const RowSpace space(problem_, passes);
  L2Logistic small(space.problem());
  small.force_regime(Regime::kNewton);
  small.solve(problem_.lambda,
              passes.watch().nested(kRowSpaceTolerance * limits.tol, limits.max_iter));
  passes.watch().check();  // as above
  space.to_columns(small.coef(), point_.w, passes);
  point_.b = small.intercept();
  // The same rows have the same dual point; Q keeps what is left of X^T alpha.
  carried_.start_at(small.carried());
  from_row_space_ = true;
}

// A start that is worse than zero is forgotten: its margins may be so large that nothing bends.
void L2Logistic::start_newton(double target, Passes& passes) {
  point_.evaluate(passes);
  double zero = 0.0;
  for (std::size_t i = 0; i < problem_.rows(); ++i) zero += problem_.weight(i) * std::log(2.0);
  if (!(point_.primal <= zero)) {
    point_.set_zero();
    from_row_space_ = false;
    point_.evaluate(passes);
  }
  direction_.begin(point_, target);
  if (!from_row_space_) carried_.start_at(point_);
}

void L2Logistic::certify(Report& report, Passes& passes) {
  best_.keep(point_, projected_.gap(point_, report.target, passes), report);
  if (report.accepted() || !carried_.hopeful(point_, report.target)) return;
  best_.keep(point_, carried_.certify(point_, report.target, passes), report);
  was_carried_ = report.accepted();
}

// The point with the smallest gap, or, if none was certified, the null model, for which zero is a
// dual value.
void L2Logistic::restore(Report& report) {
  if (best_.restore(point_)) return;
  point_.set_zero();
  point_.b = problem_.null_intercept();
  report.certificate.primal = report.certificate.gap = null_objective_;
}

void L2Logistic::settle(Report& report, Passes& passes) {
  restore(report);
  if (!problem_.constrained()) return;
  point_.evaluate(passes);
  best_.keep(point_, projected_.certify(point_, passes), report);
}

void L2Logistic::complete(Report& report, const Passes& passes) {
  // Only D(0) = 0 is known.
  if (report.status == Status::kStalled && report.certificate.gap >= report.certificate.primal)
    report.status = Status::kUncertified;
  report.regime = regime_name(regime_);
  report.intercept = point_.b;
  report.passes = passes.count();
  report.pool_size = problem_.cols();
  report.support = static_cast<std::size_t>(
      std::count_if(point_.w.begin(), point_.w.end(), [](double w) { return w != 0.0; }));
  report.seconds = passes.seconds();
}

}  // namespace banditcd::l2_logistic
