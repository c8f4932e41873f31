// The algorithm: bins of lazy pass, certificate, marginal decreases, proximal Newton steps.
#include "logistic/solver.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "solve/strategy.hpp"

namespace banditcd::logistic {
namespace {

constexpr double kSampleRate = 0.1;   // of the gap: what a step with a sample should leave
constexpr double kRoughShare = 0.03;  // of the gap: how well a model is minimized at least
constexpr double kModelLeast = 0.1;   // of the target: more is never needed
constexpr int kStepsPerBin = 8;
constexpr double kTighter = 0.01;
constexpr double kProgress = 1e-4;  // of the gap, that a decrease of the objective has to be
constexpr double kFlatter = 0.01;   // factor on the least curvature after a slow bin
constexpr double kFlattest = 1e-10;
constexpr int kPatience = 6;  // bins without any progress before the solve is given up
constexpr double kArmijo = 0.01;
constexpr double kLeastStep = 1e-9;
constexpr double kBarely = 100.0;    // of the target: here Newton steps converge quadratically
constexpr double kRounding = 1e-14;  // of the objective, in the comparison of two of its values

}  // namespace

// One bin: what all columns look like now (lazily), how good the point is, which columns promise
// the largest decrease, and Newton steps on those and on the ones in use.
Status LogisticSolver::solve_at(double target, const Limits& limits, Report& report, Watch& watch) {
  double best = kInfinity, lowest = kInfinity;
  int patience = kPatience;
  double floor = 1.0;
  point_.set_floor(floor);
  precision_ = 1.0;
  for (bool promising = true;; ++report.iterations) {
    lazy_pass(watch);
    report.certificate = certify();
    const double gap = report.certificate.gap;
    if (gap <= target) return Status::kConverged;
    const double primal = report.certificate.primal;
    const bool falling = lowest - primal > kProgress * gap;
    lowest = std::min(lowest, primal);
    if (!promising && !(gap < 0.5 * best)) {
      if (!falling && --patience == 0) return Status::kStalled;
      // The models may have been minimized too roughly, or been too steep: rows that are certain
      // have hardly any curvature, and with large entries the least one rules the model.
      if (!falling) precision_ *= kTighter;
      point_.set_floor(floor = std::max(kFlatter * floor, kFlattest));
    }
    if (static_cast<double>(report.iterations) >= limits.max_iter) return Status::kMaxIter;
    best = std::min(best, gap);
    const bool entering = choose_working();
    if (!entering && !cut_) point_.set_cautious(false);
    promising = improve(gap, target, entering ? 1 : kStepsPerBin, watch) && entering;
    report.pool_size = std::max(report.pool_size, working_.size());
  }
}

Report LogisticSolver::solve(double l1, double l2, const Limits& limits) {
  Watch watch(limits);
  Report report;
  entries_read_ = 0.0;
  phases_ = {};
  const std::size_t epochs = model_.epochs(), newtons = model_.newtons();
  penalties_ = {l1, l2, data_.penalty_weight, data_.lower, data_.upper};
  try {
    start(watch);
    if (point_.degenerate()) return degenerate_report();
    report.target = limits.tol * null_objective();
    sample_helps_ = thinning_helps_ = true;
    if (touched_)
      leave_bad_start(watch);
    else if (start_from_sample(watch))
      ++report.iterations;
    else
      descend_to(l1, l2, limits, report, watch);
    touched_ = true;
    report.status = solve_at(report.target, limits, report, watch);
  } catch (const Stopped& stop) {
    report.status = status_of(stop);
    penalties_.l1 = l1;  // it may have been stopped on the way to them
    penalties_.l2 = l2;
    restore(report.certificate);
  }
  report.regime = report.pool_size == 0 ? "null" : model_.gram_free() ? "residual" : "pool";
  report.seconds = watch.seconds();
  report.passes = entries_read_ / std::max<double>(1.0, static_cast<double>(design_->entries()));
  report.phases = phases_;
  report.support =
      coef_.size() - static_cast<std::size_t>(std::count(coef_.begin(), coef_.end(), 0.0));
  report.epochs = model_.epochs() - epochs;
  report.newtons = model_.newtons() - newtons;
  report.complete(intercept());
  return report;
}

// Whether the interval of possible correlations reaches the threshold, by what an earlier pull
// says.
bool LogisticSolver::may_violate(Index j) const {
  if (!snapshots_.known(seen_[j])) return true;
  const double threshold = kNearThreshold * penalties_.threshold(j);
  const double middle = snapshots_.beta(seen_[j]) * correlation_[j];
  const double width = length_[j] * snapshots_.error(seen_[j]);
  if (penalties_.plain()) return std::abs(middle) + width >= threshold;
  const bool positive = middle + width >= threshold && !(data_.upper && data_.upper[j] == 0.0);
  const bool negative = width - middle >= threshold && !(data_.lower && data_.lower[j] == 0.0);
  return positive || negative;
}

// Columns that may violate are read; all others are proven inactive. With short columns this loop
// takes as long as reading them does, so that it writes every column and only counts some.
void LogisticSolver::lazy_pass(Watch& watch) {
  const PhaseTimer timer(watch, phases_.pass);
  pull2_ = dot(point_.pull().data(), point_.pull().data(), labels_.rows);
  snapshots_.relate(point_.pull().data(), pull2_);
  evaluated_.resize(eligible_.size());
  unread_.resize(eligible_.size());
  std::size_t evaluated = 0, unread = 0;
  for (const Index j : eligible_) {
    const bool fresh = in_working_[j] && working_fresh_;
    const bool wanted = fresh || coef_[j] != 0.0 || may_violate(j);
    const bool old = !fresh && (current_ == Snapshots::kNever || seen_[j] != current_);
    evaluated_[evaluated] = unread_[unread] = j;
    evaluated += wanted ? 1 : 0;
    unread += wanted && old ? 1 : 0;
  }
  evaluated_.resize(evaluated);
  unread_.resize(unread);
  if (unread_.empty()) return;
  if (current_ == Snapshots::kNever) current_ = snapshots_.remember(point_.pull().data(), pull2_);
  buffer_.resize(unread_.size());
  design_->correlate(unread_.data(), unread_.size(), point_.pull().data(), buffer_.data(), watch);
  const double before = entries_read_;
  for (std::size_t t = 0; t < unread_.size(); ++t) {
    correlation_[unread_[t]] = buffer_[t];
    seen_[unread_[t]] = current_;
    read(design_->entries(unread_[t]));
  }
  if (working_fresh_)
    for (const Index j : working_.column) seen_[j] = current_;
  pass_entries_ = entries_read_ - before;
}

// Without penalty the dual point must be orthogonal to the column; no scaling can mend that.
bool LogisticSolver::free_column_pulls(Index j, double c, const Penalty& g) const {
  return g.l == 0.0 && g.hard(c) &&
         std::abs(c) > kOrthogonal * std::sqrt(norms_->square[j] * null_pull2_);
}

Certificate LogisticSolver::certify() {
  terms_.clear();
  bool feasible = true;
  const bool plain = penalties_.plain();
  double steepest = 1.0;
  Index limiting = -1;
  for (const Index j : evaluated_) {
    const double u = correlation_[j], threshold = penalties_.threshold(j);
    if (coef_[j] == 0.0) {
      if (!(std::abs(u) >= kNearThreshold * threshold)) continue;
      if (plain && threshold > 0.0) {  // of these only the steepest one limits the scale
        if (std::abs(u) > steepest * threshold) {
          steepest = std::abs(u) / threshold;
          limiting = j;
        }
        continue;
      }
    }
    const Penalty g = penalties_.at(j);
    terms_.add({coef_[j], u, g});
    feasible = feasible && !free_column_pulls(j, u, g);
  }
  if (limiting >= 0) terms_.add({0.0, correlation_[limiting], penalties_.at(limiting)});
  Certificate out = logistic::certify(terms_.all(), point_);
  if (!feasible) out.gap = kInfinity;
  return out;
}

// The gap of the problem restricted to the working set.
Certificate LogisticSolver::certify_working() {
  terms_.clear();
  bool feasible = true;
  for (std::size_t t = 0; t < working_.size(); ++t) {
    const Penalty& g = working_.g[t];
    if (working_.w[t] != 0.0 || std::abs(working_.c[t]) >= kNearThreshold * g.l)
      terms_.add({working_.w[t], working_.c[t], g});
    feasible = feasible && !free_column_pulls(working_.column[t], working_.c[t], g);
  }
  Certificate out = logistic::certify(terms_.all(), point_);
  if (!feasible) out.gap = kInfinity;
  return out;
}

// Proximal Newton steps on the working set, one while columns are still coming in, else until its
// gap reaches the target. Returns whether the point moved as it should.
bool LogisticSolver::improve(double gap, double target, int steps, Watch& watch) {
  for (int step = 0; step < steps && gap > target && working_.size() > 0; ++step) {
    // While columns come in, no model is the last one on its working set.
    const double share =
        std::isfinite(gap) ? std::max(model_.share(), steps == 1 ? kRoughShare : 0.0) * gap : 0.0;
    const bool sampled = use_sample();
    const Accuracy wanted{precision_ * std::max(share, kModelLeast * target), steps == 1};
    read(model_.solve(*design_, point_, working_, wanted, watch));
    const bool partial = sampled || model_.thinned();
    if (!advance(watch)) {
      if (!partial) return false;
      use_more_rows(sampled);
      continue;
    }
    if (cut_ && partial) use_more_rows(sampled);
    if (step + 1 == steps) break;
    if (!cut_) point_.set_cautious(false);
    const double before = gap;
    gap = certify_working().gap;
    if (partial && !(gap < kSampleRate * before))
      use_more_rows(sampled);
    else if (gap <= kBarely * target && !(gap < 0.5 * before))
      return false;  // rounding
  }
  return true;
}

double LogisticSolver::penalty_along(double t) const {
  double sum = 0.0;
  const std::vector<double>& to = model_.minimizer();
  for (std::size_t k = 0; k < working_.size(); ++k)
    sum += working_.g[k].value(t == 1.0 ? to[k] : working_.w[k] + t * (to[k] - working_.w[k]));
  return sum;
}

// From the point towards the minimizer of the model, as far as the true objective agrees.
bool LogisticSolver::advance(Watch& watch) {
  const PhaseTimer timer(watch, phases_.residual);
  const std::vector<double>& to = model_.minimizer();
  const double shift = model_.intercept_step(point_, working_), b = point_.intercept();
  const double penalty = penalty_along(0.0), objective = point_.totals().loss + penalty;
  double slope = penalty_along(1.0) - penalty - point_.totals().pull * shift;
  for (std::size_t k = 0; k < working_.size(); ++k)
    slope -= working_.c[k] * (to[k] - working_.w[k]);
  // Close to the optimum the slope is all rounding, while the gap, of first order in the gradient,
  // still improves: such steps are taken if the objective does not visibly rise.
  const double rounding = kRounding * objective;
  if (slope > rounding || to == working_.w) return false;
  predict(working_.column, to, predictor_, watch);
  const std::vector<double>& from = point_.predictor();
  double t = 1.0;
  for (;; t *= 0.5) {
    if (t < kLeastStep) return false;
    if (t < 1.0)
      for (std::size_t i = 0; i < labels_.rows; ++i)
        predictor_[i] = 0.5 * (predictor_[i] + from[i]);
    const double value = point_.try_at(predictor_, b + t * shift) + penalty_along(t);
    if (value <= objective + kArmijo * t * std::min(slope, 0.0) + rounding) break;
    watch.check();
  }
  for (std::size_t k = 0; k < working_.size(); ++k) {
    working_.w[k] = t == 1.0 ? to[k] : working_.w[k] + t * (to[k] - working_.w[k]);
    coef_[working_.column[k]] = working_.w[k];
  }
  point_.accept();
  point_.settle_intercept();
  cut_ = t < 1.0;
  if (cut_) point_.set_cautious(true);
  forget_point();
  judge_entered();
  correlate_working(watch);
  return true;
}

void LogisticSolver::correlate_working(Watch& watch) {
  design_->correlate(working_.column.data(), working_.size(), point_.pull().data(),
                     working_.c.data(), watch);
  for (std::size_t t = 0; t < working_.size(); ++t) {
    correlation_[working_.column[t]] = working_.c[t];
    seen_[working_.column[t]] = Snapshots::kNever;
    read(design_->entries(working_.column[t]));
  }
  working_fresh_ = true;
}

}  // namespace banditcd::logistic
