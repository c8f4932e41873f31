#include "l2_logistic/solver.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

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

// Main loop: arms take turns at one point until a certificate holds.
Report L2Logistic::solve(double lambda, const Limits& limits) {
  Passes passes(*problem_.X, limits);
  Report report;
  report.target = limits.tol * null_objective_;
  problem_.lambda = lambda;
  projected_.forget();
  best_.clear();
  from_row_space_ = was_carried_ = false;
  // 1. The arms, and the one with the least expected work.
  Arms arms(report.target);
  const std::vector<Regime> regimes = enter(arms, limits.tol);
  try {
    // 2. Many rows, and no start given: start at the solution of a sample.
    regime_ = regimes[arms.current()];
    if (point_.is_zero() && sampling_applies(problem_, regime_)) start_from_sample(limits, passes);
    // 3. Turns, until nobody is left to go on.
    Turn turn = Turn::kOver;
    do {
      regime_ = regimes[arms.current()];
      Round round = {limits, report, passes, arms};
      turn = regime_ == Regime::kDualDescent ? descend_dual(round) : take_newton_steps(round);
    } while (turn == Turn::kOver && arms.hand_over());
    // 4. The point with the smallest gap, certified once more where columns are free.
    if (!report.accepted()) settle(report, passes);
    if (report.accepted()) report.status = Status::kConverged;
  } catch (const Stopped& stopped) {
    report.status = status_of(stopped);
    restore(report);
  }
  // 5. Nothing worse than the null model; without an iteration, the start as it is.
  const bool worse = report.certificate.primal > null_objective_;
  if (worse && !report.accepted() && limits.max_iter > 0.0) take_null(report);
  complete(report, passes);
  return report;
}

// Every regime that can solve the problem, or the one that is asked for.
std::vector<Regime> L2Logistic::enter(Arms& arms, double tol) const {
  std::vector<Regime> out;
  for (const Regime regime : kRegimes) {
    if (forced_ && regime != *forced_) continue;
    if (forced_ && !applies(problem_, regime))
      throw std::invalid_argument(std::string("the regime ") + regime_name(regime) +
                                  " needs a penalty on every column" +
                                  (regime == Regime::kDualDescent ? ", the same for all" : ""));
    const double expected = forced_ ? 0.0 : expected_work(problem_, regime, tol);
    if (!(expected < kInfinity)) continue;
    arms.add(expected, regime == Regime::kRowSpace      ? Arms::Kind::kKnown
                       : regime == Regime::kDualDescent ? Arms::Kind::kSteady
                                                        : Arms::Kind::kQuickening);
    out.push_back(regime);
  }
  arms.begin();
  return out;
}

// Newton steps by a factor or by conjugate gradients; in row space they are polish.
L2Logistic::Turn L2Logistic::take_newton_steps(Round& round) {
  Report& report = round.report;
  Passes& passes = round.passes;
  if (regime_ == Regime::kRowSpace) start_in_row_space(round.limits, passes);
  start_newton(report.target, passes);
  const DirectionBy method =
      regime_ == Regime::kNewton ? DirectionBy::kFactor : DirectionBy::kConjugateGradients;
  double lowest = kInfinity, work = passes.work();
  std::size_t idle = 0;
  for (;; ++report.iterations) {
    // a. The gap of the point's own dual point and of the carried one.
    certify(report, passes);
    if (report.accepted()) return Turn::kDone;
    // b. Rounding stops the decrease, or the limit is reached, or another arm is quicker.
    idle = point_.primal < lowest ? 0 : idle + 1;
    lowest = std::min(lowest, point_.primal);
    if (idle > kPatience) return Turn::kDone;
    if (static_cast<double>(report.iterations) >= round.limits.max_iter) {
      report.status = Status::kMaxIter;
      return Turn::kDone;
    }
    round.arms.note(passes.work() - work, seen_gap());
    work = passes.work();
    if (round.arms.overtaken()) return Turn::kOver;
    // c. The direction, the search along it, and the dual point that it predicts.
    direction_.find(point_, method, round.arms.allowance(), passes);
    if (!search_.run(point_, direction_, passes)) return Turn::kDone;
    carried_.follow(point_, direction_, search_);
  }
}

// The smaller gap of both dual points, without a pass.
double L2Logistic::seen_gap() const {
  return std::min(problem_.penalty_gap(point_.gradient), carried_.estimate(point_));
}

void L2Logistic::start_from_sample(const Limits& limits, Passes& passes) {
  const RowSample sample(problem_);
  L2Logistic small(sample.problem());
  small.force_regime(regime_);
  const Report report =
      small.solve(sample.problem().lambda,
                  passes.watch().nested(std::max(limits.tol, kSampleTolerance), limits.max_iter));
  passes.add(sample.share() * report.passes, report.work);
  passes.watch().check();  // what stopped the inner solve stops this one, before its point is used
  start_at(small.coef().data(), small.intercept());
}

// Half of the iterations at most, if others can go on.
L2Logistic::Turn L2Logistic::descend_dual(Round& round) {
  Report& report = round.report;
  Passes& passes = round.passes;
  double work = passes.work();
  const auto goes_on = [&](double gap) {
    round.arms.note(passes.work() - work, gap);
    work = passes.work();
    return !round.arms.overtaken();
  };
  const double most = (forced_ ? 1.0 : kDualShare) * round.limits.max_iter;
  const bool rounded = report.target >= kCopyTarget * null_objective_;
  const DualDescent::Goal goal = {report.target, most, rounded,
                                  [&] { return certify_dual(report, passes); }, goes_on};
  const DualDescent::End end = dual_descent_.run(point_, goal, report.iterations, passes);
  if (end == DualDescent::End::kCertified) return Turn::kDone;
  if (end != DualDescent::End::kLeft) round.arms.retire();
  if (forced_) {
    if (end == DualDescent::End::kMaxIter) report.status = Status::kMaxIter;
    certify_dual(report, passes);
  }
  return Turn::kOver;
}

// The p of the descent, balanced if there is an intercept, certifies w.
bool L2Logistic::certify_dual(Report& report, Passes& passes) {
  const double gap = carried_.certify_logits(dual_descent_.logits(), point_, report.target, passes);
  best_.keep(point_, gap, report);
  return was_carried_ = report.accepted();
}

void L2Logistic::start_in_row_space(const Limits& limits, Passes& passes) {
  const RowSpace space(problem_, passes);
  L2Logistic small(space.problem());
  small.force_regime(Regime::kNewton);
  const Report report = small.solve(
      problem_.lambda, passes.watch().nested(kRowSpaceTolerance * limits.tol, limits.max_iter));
  passes.charge(report.work);
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
  report.certificate.primal = report.certificate.gap = null_objective_;
  take_null(report);
}

// The null model, with the dual value that was found: it bounds every model. That of a diverged
// point is the difference of two large numbers, and no more than their rounding leaves of it.
void L2Logistic::take_null(Report& report) {
  constexpr double rounding = 1e-9;
  const double dual = (1.0 - rounding) * report.certificate.primal - report.certificate.gap;
  point_.set_zero();
  point_.b = problem_.null_intercept();
  report.certificate.primal = null_objective_;
  report.certificate.gap = std::max(0.0, null_objective_ - std::max(0.0, dual));
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
  report.work = passes.work();
  report.pool_size = problem_.cols();
  report.support = static_cast<std::size_t>(
      std::count_if(point_.w.begin(), point_.w.end(), [](double w) { return w != 0.0; }));
  report.seconds = passes.seconds();
}

}  // namespace banditcd::l2_logistic
