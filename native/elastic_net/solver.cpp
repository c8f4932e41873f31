// The algorithm: bins of lazy pass, certificate, marginal decreases, pool growth, pool solve.
#include "elastic_net/solver.hpp"

#include <algorithm>
#include <cmath>

#include "elastic_net/strategy.hpp"
#include "kernels/vector.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kNoViolator = 0.1;  // and below the gap when nothing outside the pool violates
constexpr int kPatience = 6;         // bins without any progress before the solve is given up

}  // namespace

// How far the pool problem is to be solved: if nothing outside the pool violates, far enough for
// the gap to follow; a rough pool not further than its digits reach.
double RecordSolver::inner_target(double target, double gap, bool no_violator) {
  double out = kInnerShare * (whole_gram_ ? target : std::max(target, pool_certificate().gap));
  if (no_violator) out = std::min(out, kNoViolator * (rough_ ? kRoughProgress : 1.0) * gap);
  return rough_ ? std::max(out, kRoughShare * gap) : out;
}

// One bin: what all columns look like now (lazily), how good the point is, which columns promise
// the largest decrease, and the problem restricted to those that ever did.
Status RecordSolver::solve_at(double target, const Limits& limits, Report& report, Watch& watch) {
  double best = kInfinity;
  double progress = kInfinity;  // what a bin that only refined a rough pool should have reached
  int patience = kPatience;
  for (; static_cast<double>(report.iterations) < limits.max_iter; ++report.iterations) {
    std::vector<Index> entering;
    bool verified = false;
    if (std::isfinite(best)) entering = likely_columns(watch);
    if (entering.empty()) {
      lazy_pass(watch, 1.0);
      report.certificate = certify();
      if (report.certificate.gap <= target) {
        verify(watch);
        verified = true;
        report.certificate = certify();
        if (report.certificate.gap <= target) return Status::kConverged;
      }
      entering = best_columns();
    }
    // The pool was solved and is still not good enough: its correlations have drifted.
    if (entering.empty() && std::isfinite(best) && !verified) verify(watch);
    if (entering.empty() && rough_) report.certificate = certify();
    const double gap = report.certificate.gap;
    if (entering.empty() && !(gap < 0.5 * best) && --patience == 0) return Status::kStalled;
    best = std::min(best, gap);
    if (entering.empty() && rough_ && !(gap <= progress)) make_exact(watch);
    grow_pool(entering, watch);
    progress = entering.empty() ? kRoughProgress * gap : kInfinity;
    solve_pool(inner_target(target, gap, entering.empty()), watch);
    refresh_residual(watch);
  }
  return certify_last(target, report, watch);
}

Report RecordSolver::run(double l1, double l2, const Limits& limits, Space space) {
  Watch watch(limits);
  Report report;
  entries_read_ = 0.0;
  phases_ = {};
  drafted_ = false;
  const std::size_t epochs = inner_.epochs() + residual_solver_.epochs(),
                    newtons = inner_.newtons();
  penalties_ = {l1, l2, data_.penalty_weight, data_.lower, data_.upper};
  pool_.set_penalties(penalties_);
  report.target = 0.0;
  try {
    start(watch);
    report.target = limits.tol * null_objective();
    if (space == Space::kGram && whole_gram_ && drafts_pay(limits) &&
        solve_in_gram_space(report.target, report, watch)) {
      report.status = Status::kConverged;
      drafted_ = !design_->gram_certifies();
    } else {
      if (residual_stale_) refresh_residual(watch);
      if (cold_ && limits.max_iter >= kContinueBins) approach(report, watch);
      cold_ = false;
      if (pool_.size() == 0 && start_from_sample(report.target, watch)) ++report.iterations;
      report.status = solve_at(report.target, limits, report, watch);
    }
  } catch (const Stopped& stop) {
    report.status = status_of(stop);
    restore(report.certificate);
  }
  report.regime = whole_gram_         ? "whole_gram"
                  : gram_free_        ? "residual"
                  : pool_.size() == 0 ? "null"
                                      : "pool";
  report.seconds = watch.seconds();
  report.passes = entries_read_ / std::max<double>(1.0, static_cast<double>(design_->entries()));
  report.phases = phases_;
  report.pool_size = pool_.size();
  report.rough = rough_;
  report.support = pool_.problem().support();
  report.epochs = inner_.epochs() + residual_solver_.epochs() - epochs;
  report.newtons = inner_.newtons() - newtons;
  return report;
}

// Columns whose interval of possible correlations reaches the threshold are read; all others are
// proven inactive by what an earlier residual says about them. With a smaller share of the
// intervals only the columns that are likely to matter are read, and nothing is proven about the
// others.
void RecordSolver::lazy_pass(Watch& watch, double share) {
  const PhaseTimer timer(watch, phases_.pass);
  evaluated_.clear();
  unread_.clear();
  if (whole_gram_) return;
  snapshots_.relate(residual_.data(), residual2_);
  for (const Index j : eligible_) {
    if (pool_.contains(j)) continue;
    const double threshold = kNearThreshold * penalties_.threshold(j);
    if (snapshots_.known(seen_[j])) {
      const double middle = snapshots_.beta(seen_[j]) * correlation_[j];
      const double width = share * norm_[j] * snapshots_.error(seen_[j]);
      if (std::abs(middle) + width < threshold) continue;
      const bool positive = middle + width >= threshold && !(data_.upper && data_.upper[j] == 0.0);
      const bool negative = width - middle >= threshold && !(data_.lower && data_.lower[j] == 0.0);
      if (!positive && !negative) continue;
    }
    evaluated_.push_back(j);
    if (current_ == Snapshots::kNever || seen_[j] != current_) unread_.push_back(j);
  }
  if (unread_.empty()) return;
  if (current_ == Snapshots::kNever) current_ = snapshots_.remember(residual_.data(), residual2_);
  buffer_.resize(unread_.size());
  design_->correlate(unread_.data(), unread_.size(), weighted_.data(), buffer_.data(), watch);
  for (std::size_t t = 0; t < unread_.size(); ++t) {
    correlation_[unread_[t]] = buffer_[t];
    seen_[unread_[t]] = current_;
  }
  pass_entries_ = entries_of(unread_);
  entries_read_ += pass_entries_;
}

// The share of a column's interval that a correlation hardly ever leaves.
double RecordSolver::likely_share() const {
  return std::min(1.0, kLikely / std::sqrt(static_cast<double>(design_->rows())));
}

// The best violators among the columns that are likely to violate, if there are enough of them. The
// other columns are not read, so that this bin proves nothing: the certificate of an earlier one
// still holds, because the objective has only decreased.
std::vector<Index> RecordSolver::likely_columns(Watch& watch) {
  if (whole_gram_ || likely_share() > kLikelyMost) return {};
  lazy_pass(watch, likely_share());
  std::vector<Index> out = best_columns();
  if (!enough_violators()) out.clear();
  return out;
}

bool RecordSolver::enough_violators() {
  const auto enough = static_cast<std::size_t>(kLikelyEnough * pool_.problem().support());
  return violators_ >= std::max(kLikelyLeast, enough);
}

// The gap of the problem restricted to the pool.
Certificate RecordSolver::pool_certificate() {
  terms_.clear();
  const Quadratic pool = pool_.problem();
  for (std::size_t t = 0; t < pool.size; ++t)
    if (pool.x[t] != 0.0 || std::abs(pool.c[t]) >= kNearThreshold * pool.g[t].l)
      terms_.add(pool.x[t], pool.c[t], pool.g[t]);
  return banditcd::certify(terms_, residual2_);
}

Certificate RecordSolver::certify() {
  pool_certificate();
  const bool plain = penalties_.plain();
  for (const Index j : evaluated_) {
    const double u = std::abs(correlation_[j]), l = penalties_.threshold(j);
    if (u < kNearThreshold * l) continue;
    if (plain)
      terms_.limit(u, l);
    else
      terms_.add(0.0, correlation_[j], penalties_.at(j));
  }
  Certificate out = banditcd::certify(terms_, residual2_);
  if (!free_columns_orthogonal()) out.gap = kInfinity;
  return out;
}

// The pool's correlations came from Gram space. Before anything is called converged they are
// recomputed from the true residual, and the pool problem continues from the true values.
void RecordSolver::verify(Watch& watch) {
  const PhaseTimer timer(watch, phases_.pass);
  if (gram_free_) return;  // they are true ones already
  correlate_pool(watch);
  pool_.rebase(buffer_.data(), residual2_);
}

void RecordSolver::correlate_pool(Watch& watch) {
  const std::size_t size = pool_.size();
  buffer_.resize(size);
  design_->correlate(pool_.columns().data(), size, weighted_.data(), buffer_.data(), watch);
  entries_read_ += entries_of(pool_.columns());
}

// Marginal decreases r_j of the columns outside the pool; those that nearly violate rank behind.
std::vector<Index> RecordSolver::best_columns() {
  violators_ = 0;
  scores_.clear();
  for (const Index j : evaluated_) {
    const double u = correlation_[j];
    if (std::abs(u) < kNearThreshold * penalties_.threshold(j)) continue;
    const Penalty g = penalties_.at(j);
    const double excess = g.excess(u), h = facts_.square[j] + g.m;
    if (excess > 0.0) {
      scores_.push_back({0.5 * excess * excess / h, j});
      ++violators_;
    } else if (std::abs(u) <= g.l) {
      scores_.push_back({-0.5 * (g.l - std::abs(u)) * (g.l - std::abs(u)) / h, j});
    }
  }
  std::vector<Index> out;
  if (violators_ == 0) return out;
  const std::size_t count = std::min(columns_to_add(), scores_.size());
  const auto larger = [](const Score& a, const Score& b) { return a.r > b.r; };
  std::nth_element(scores_.begin(), scores_.begin() + (count - 1), scores_.end(), larger);
  out.reserve(count);
  for (std::size_t t = 0; t < count; ++t) out.push_back(scores_[t].j);
  std::sort(out.begin(), out.end());
  return out;
}

void RecordSolver::solve_pool(double target, Watch& watch) {
  solve_model(target, watch);
  if (!rough_ || !inner_.too_rough()) return;
  make_exact(watch);
  solve_model(target, watch);
}

void RecordSolver::solve_model(double target, Watch& watch) {
  const PhaseTimer timer(watch, phases_.pool);
  Quadratic pool = pool_.problem();
  if (gram_free_) {
    trial_ = weighted_;
    residual_solver_.solve({design_.get(), &space_, &facts_, pool.size, pool_.columns().data(),
                            pool.g, pool.x, pool.c, trial_.data(), pool_.limit()},
                           target, watch);
    return;
  }
  const std::size_t rank = design_->rows() - (data_.intercept ? 1 : 0);
  inner_.solve(pool, target, rank, watch);
  project_free_columns(watch);
}

// R = y - b - X w from scratch, so that no rounding accumulates over the bins.
void RecordSolver::refresh_residual(Watch& watch) {
  const PhaseTimer timer(watch, phases_.residual);
  std::vector<Index> support;
  std::vector<double> coef;
  double shift = 0.0;
  for (std::size_t t = 0; t < pool_.size(); ++t) {
    if (pool_.x()[t] == 0.0) continue;
    support.push_back(pool_.columns()[t]);
    coef.push_back(-pool_.x()[t]);
    shift += pool_.x()[t] * facts_.mean[support.back()];
    read(design_->entries(support.back()));
  }
  buffer_.assign(centered_y_.begin(), centered_y_.end());
  design_->combine(support.data(), support.size(), coef.data(), buffer_.data(), watch);
  residual_.swap(buffer_);
  committed_.assign(pool_.x(), pool_.x() + pool_.size());
  finish_residual(shift);
  if (!gram_free_) return;
  correlate_pool(watch);
  std::copy(buffer_.begin(), buffer_.end(), pool_.c());
}

}  // namespace banditcd::elastic_net
