#include "logistic/newton.hpp"

#include <algorithm>
#include <cmath>

#include "solve/halved_step.hpp"

namespace banditcd::logistic {
namespace {

constexpr int kStepsPerBin = 8;
constexpr std::size_t kGivenUp = 4;     // models of a bin that were left too early
constexpr double kFewerRowsRate = 0.1;  // of the gap: what a step with fewer rows should leave
constexpr double kPassingShare = 0.03;  // of the gap: how well a model is minimized at least
constexpr double kModelLeast = 0.1;     // of the target: more is never needed
constexpr double kBarely = 100.0;       // of the target: here Newton steps converge quadratically
constexpr double kHardly = 0.9, kNothing = 1e-3;  // of the gap: what a step has to change

}  // namespace

bool ProximalNewton::improve(const Aim& aim, const Iterate& at, Certifier& certifier, Work& work,
                             Watch& watch) {
  const int steps = aim.passing ? 1 : kStepsPerBin;
  double gap = aim.gap;
  const std::size_t given_up = model_.given_up();
  for (int step = 0; step < steps && gap > aim.target && at.pool.size() > 0; ++step) {
    rows_.choose(at.pool.size());
    model_.solve({*at.design, at.point, at.pool.columns(), accuracy(aim, gap)}, rows_, work, watch);
    if (!advance(at, work, watch)) {
      if (!rows_.partial()) return false;
      rows_.distrust();
      continue;
    }
    if (cut_ && rows_.partial()) rows_.distrust();
    if (step + 1 == steps || model_.given_up() - given_up > kGivenUp) break;
    if (!cut_) at.point.set_cautious(false);
    const double before = gap;
    gap = certifier.certify(at.pool.columns(), at.point).gap;
    if (rows_.partial() && !(gap < kFewerRowsRate * before))
      rows_.distrust();
    else if (gap <= kBarely * aim.target && !(gap < 0.5 * before))
      return false;  // rounding
    else if (std::isfinite(gap) && gap > kHardly * before && decrease_ < kNothing * gap)
      return true;  // the next model will hardly be better
  }
  return true;
}

// While columns come in, no model is the last one on its pool.
Accuracy ProximalNewton::accuracy(const Aim& aim, double gap) const {
  const double share = std::max(model_.share(), aim.passing ? kPassingShare : 0.0);
  const double part = std::isfinite(gap) ? share * gap : 0.0;
  return {aim.precision * std::max(part, kModelLeast * aim.target), aim.passing};
}

double ProximalNewton::penalty_along(const PoolColumns& pool, double t) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < pool.size(); ++k)
    sum += pool.g[k].value(mixed(pool.w[k], model_.minimizer()[k], t));
  return sum;
}

// Returns whether the point moved.
bool ProximalNewton::advance(const Iterate& at, Work& work, Watch& watch) {
  const PhaseTimer timer(watch, work.phases.residual);
  const double t = search(at, work, watch);
  if (t > 0.0) take(t, at, work, watch);
  return t > 0.0;
}

// The length of the step; zero if there is none. The point has tried it.
double ProximalNewton::search(const Iterate& at, Work& work, Watch& watch) {
  const PoolColumns& pool = at.pool.columns();
  Point& point = at.point;
  const std::vector<double>& to = model_.minimizer();
  const double shift = model_.intercept_step(point, pool), b = point.intercept();
  const double penalty = penalty_along(pool, 0.0), objective = point.totals().loss + penalty;
  double slope = penalty_along(pool, 1.0) - penalty - point.totals().pull * shift;
  for (std::size_t k = 0; k < pool.size(); ++k) slope -= pool.c[k] * (to[k] - pool.w[k]);
  if (to == pool.w) return 0.0;
  work.entries_read += at.design.predict(pool.column, to, predictor_, watch);
  const auto value_at = [&](double t) {
    const double value = point.try_at(predictor_, b + t * shift) + penalty_along(pool, t);
    decrease_ = objective - value;
    return value;
  };
  return halved_step({objective, slope, point.predictor()}, predictor_, value_at, watch);
}

void ProximalNewton::take(double t, const Iterate& at, Work& work, Watch& watch) {
  const PoolColumns& pool = at.pool.columns();
  w_.resize(pool.size());
  for (std::size_t k = 0; k < pool.size(); ++k) {
    w_[k] = mixed(pool.w[k], model_.minimizer()[k], t);
    at.point.set_coef(pool.column[k], w_[k]);
  }
  at.point.accept();
  at.point.settle_intercept();
  cut_ = t < 1.0;
  if (cut_) at.point.set_cautious(true);
  at.pool.move_to(w_);
  at.pool.forget_point();
  at.columns.forget_residual();
  at.pool.correlate(*at.design, at.point.pull(), watch);
  for (std::size_t k = 0; k < pool.size(); ++k)
    at.columns.set_correlation(pool.column[k], pool.c[k]);
  work.entries_read += entries_of(*at.design, pool.column);
}

}  // namespace banditcd::logistic
