// The algorithm: bins of lazy pass, certificate, marginal decreases, proximal Newton steps.
#include "logistic/solver.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "logistic/progress.hpp"

namespace banditcd::logistic {
namespace {

// A solve that lost its patience goes on while the gap is at least this share of the objective
// (below it rounding has the last word), and the objective falls by this share of the gap.
constexpr double kFar = 1e-6, kFalling = 1e-8;

}  // namespace

// Main loop: bins until the certificate holds, or nothing improves any more.
Status LogisticSolver::solve_at(double target, const Limits& limits, Report& report, Watch& watch) {
  Progress progress(newton_.model().given_up(), hopeless_);
  for (bool promising = true;; ++report.iterations) {
    // 1. Lazy pass: correlations of the columns that may violate; the others are proven inactive.
    lazy_pass(watch);
    // 2. Certificate: the pulls, scaled to be feasible, are a dual point.
    report.certificate = certifier_.certify(columns_, point_, penalties_);
    const double gap = report.certificate.gap;
    if (gap <= target) {
      hopeless_ = false;
      return Status::kConverged;
    }
    const bool on = progress.judge(report.certificate, promising, newton_.model().given_up());
    hopeless_ = hopeless_ || progress.hopeless();
    if (!on) return Status::kStalled;
    if (static_cast<double>(report.iterations) >= limits.max_iter) return Status::kMaxIter;
    watch.check();
    point_.set_floor(progress.floor());
    // 3. Pool: the columns in use, and the violators with the largest marginal decreases.
    const bool entering = pool_.choose(columns_, norms_->square, point_, penalties_, *design_);
    report.pool_size = std::max(report.pool_size, pool_.size());
    // 4. Proximal Newton steps on the pool: one while columns are coming in, else until its own gap
    //    reaches the target. Cautious curvatures are for points from which steps were cut.
    if (!entering && !newton_.cut()) point_.set_cautious(false);
    const Aim aim{gap, target, progress.precision(), entering};
    const bool moved =
        newton_.improve(aim, {design_, point_, pool_, columns_}, certifier_, work_, watch);
    promising = moved && entering;
  }
}

// Rows cross the margin of the squared hinge in most steps as long as many columns come and go, so
// that bins without a smaller gap are common far from the optimum: where the patience for them ends
// and the objective still falls, the solve goes on.
Status LogisticSolver::solve_on(double target, const Limits& limits, Report& report, Watch& watch) {
  Certificate before{kInfinity, 0.0};
  for (;;) {
    const Status status = solve_at(target, limits, report, watch);
    const Certificate& now = report.certificate;
    const bool far = now.gap > kFar * now.primal;
    const bool falls = before.primal - now.primal > kFalling * before.gap;
    const bool crossing = loss_ == LossKind::kSquaredHinge && status == Status::kStalled;
    if (!crossing || !far || !falls) return status;
    before = now;
    newton_.rows().trust();
  }
}

// A column of the pool whose correlation is that of today is not read again.
void LogisticSolver::lazy_pass(Watch& watch) {
  const PhaseTimer timer(watch, work_.phases.pass);
  using Role = LazyColumns::Role;
  const std::vector<double>& pull = point_.pull();
  const ResidualView residual{pull.data(), pull.data(), dot(pull.data(), pull.data(), pull.size())};
  const bool fresh = pool_.fresh();
  const auto role = [&](Index j) {
    if (fresh && pool_.contains(j)) return Role::kFresh;
    return point_.coef()[j] != 0.0 ? Role::kInUse : Role::kOutside;
  };
  work_.entries_read += columns_.pass(*design_, residual, penalties_, 1.0, role, watch);
  if (fresh) columns_.date(pool_.columns().column);
}

Report LogisticSolver::solve(double l1, double l2, const Limits& limits) {
  Watch watch(limits);
  Report report;
  work_ = {};
  const Model& model = newton_.model();
  const std::size_t epochs = model.epochs(), newtons = model.newtons();
  set_penalties(l1, l2);
  try {
    start(watch);
    if (point_.degenerate()) return degenerate_report();
    check_penalties();
    report.target = limits.tol * null_objective();
    newton_.rows().trust();
    find_start(limits, report, watch);
    state_ = State::kMoved;
    report.status = solve_on(report.target, limits, report, watch);
  } catch (const Stopped& stop) {
    report.status = status_of(stop);
    set_penalties(l1, l2);  // it may have been stopped on the way to them
    restore(report.certificate);
  }
  report.regime = report.pool_size == 0 ? "null" : model.gram_free() ? "residual" : "pool";
  report.seconds = watch.seconds();
  report.passes =
      work_.entries_read / std::max<double>(1.0, static_cast<double>(design_->entries()));
  report.phases = work_.phases;
  const std::vector<double>& coef = coefficients();
  report.support =
      coef.size() - static_cast<std::size_t>(std::count(coef.begin(), coef.end(), 0.0));
  report.epochs = model.epochs() - epochs;
  report.newtons = model.newtons() - newtons;
  report.complete(intercept());
  return report;
}

// No finite minimizer: the returned constant makes every loss vanish in float64.
Report LogisticSolver::degenerate_report() const {
  Report report;
  report.status = Status::kConverged;
  report.certificate = {point_.totals().loss, point_.totals().loss, 0.0};
  report.complete(intercept());
  return report;
}

// After an interruption: the dual value known so far bounds this point as well as any other.
void LogisticSolver::restore(Certificate& certificate) const {
  if (state_ == State::kNew) return;
  const double dual = std::isfinite(certificate.gap) ? certificate.primal - certificate.gap : 0.0;
  certificate.primal = point_.primal(columns_.eligible(), penalties_);
  certificate.gap = certificate.primal - dual;  // zero is always a dual value
}

}  // namespace banditcd::logistic
