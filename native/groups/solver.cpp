// The algorithm: bins of lazy pass, certificate, marginal decreases and an inner solve.
#include "groups/solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "groups/strategy.hpp"
#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "solve/strategy.hpp"

namespace banditcd::groups {
namespace {

constexpr int kBinsWithout = 5;  // bins without progress before rounding is to blame
constexpr double kProgress = 0.9, kRounding = 1e-13;
constexpr double kMorePrecise = 0.1;

}  // namespace

Solver::Solver(Data data, Layout layout, std::size_t pool_bytes)
    : design_(std::move(data.design)),
      loss_(std::move(data.loss)),
      layout_(std::move(layout)),
      intercept_(data.intercept),
      pool_bytes_(pool_bytes),
      pool_(layout_, loss_->tasks()),
      lazy_(layout_),
      coef_(design_->cols() * loss_->tasks(), 0.0) {}

// Main loop: bins until the certificate holds, or nothing improves any more.
Status Solver::solve_at(double target, const Limits& limits, Report& report, Watch& watch) {
  double precision = 1.0, primal = kInfinity;
  bool entering = true;
  for (int without = 0;; ++report.iterations) {
    // 1. Lazy pass: correlations of the blocks that may violate; the others are proven inactive.
    lazy_pass(report.iterations == 0, watch);
    // 2. Certificate: the pulls, scaled to be feasible, are a dual point.
    const Certificate found = certify_pool(true);
    const bool lower = found.primal < (1.0 - kRounding) * primal;
    without = lower || found.gap < kProgress * report.certificate.gap ? 0 : without + 1;
    if (report.iterations == 0 || found.gap < report.certificate.gap) {
      report.certificate = found;
      best_ = here();
    }
    primal = std::min(primal, found.primal);
    if (report.accepted()) return Status::kConverged;
    if (without > kBinsWithout) return Status::kStalled;
    if (without > 0) precision *= kMorePrecise;
    if (static_cast<double>(report.iterations) >= limits.max_iter) return Status::kMaxIter;
    watch.check();
    // 3. Pool: the violators with the largest marginal decreases enter.
    if (!loss_->quadratic()) keep_blocks_in_use();
    entering = enter();
    report.pool_size = std::max(report.pool_size, pool_.size());
    // 4. Inner solve on the pool.
    const bool moved = improve(precision * found.gap, precision * target, entering, watch);
    entering = entering && moved;
  }
}

Report Solver::solve(double l1, double l2, const Limits& limits) {
  Watch watch(limits);
  Report report;
  entries_read_ = 0.0;
  const std::size_t epochs = inner_.epochs(), newtons = inner_.newtons();
  l1_ = l1;
  l2_ = l2;
  on_residual_ = false;
  try {
    start(watch);
    report.target = limits.tol * loss_->null_value();
    best_ = here();
    if (loss_->degenerate()) {
      report.status = Status::kConverged;
      report.certificate = {loss_->value(), loss_->value(), 0.0};
    } else {
      pool_.set_penalties(l1, l2);
      report.pool_size = pool_.size();
      report.status = solve_at(report.target, limits, report, watch);
    }
  } catch (const Stopped& stop) {
    report.status = status_of(stop);
  }
  report.epochs = inner_.epochs() - epochs;
  report.newtons = inner_.newtons() - newtons;
  finish(report, watch);
  return report;
}

void Solver::finish(Report& report, const Watch& watch) const {
  report.regime = report.pool_size == 0 ? "null" : on_residual_ ? "residual" : "pool";
  report.seconds = watch.seconds();
  report.passes = entries_read_ / std::max<double>(1.0, static_cast<double>(design_->entries()));
  report.support = best_.coef.size() -
                   static_cast<std::size_t>(std::count(best_.coef.begin(), best_.coef.end(), 0.0));
  report.complete(best_.intercept.empty() ? 0.0 : best_.intercept[0]);
}

Solver::Point Solver::here() const {
  Point out{coef_, std::vector<double>(tasks(), 0.0)};
  for (std::size_t k = 0; intercept_ && k < tasks(); ++k)
    out.intercept[k] = loss_->intercept(k) - (tasks() == 1 ? design_.shift(coef_) : 0.0);
  return out;
}

void Solver::coefficients(double* out) const {
  std::copy(best_.coef.begin(), best_.coef.end(), out);
}

void Solver::intercepts(double* out) const {
  std::copy(best_.intercept.begin(), best_.intercept.end(), out);
}

// The first one is finished whatever the deadline: without it there is no point to report.
void Solver::lazy_pass(bool first, Watch& watch) {
  std::optional<Unhurried> unhurried;
  if (first) unhurried.emplace(watch);
  if (!fresh_) correlate_pool(watch);
  entries_read_ += lazy_.pass(
      *design_, loss_->pull(), l1_, [&](std::size_t g) { return pool_.contains(g); }, watch);
}

void Solver::correlate_pool(Watch& watch) {
  const std::vector<Index>& columns = pool_.column();
  c_.resize(columns.size() * tasks());
  design_->correlate_tasks(columns.data(), columns.size(), loss_->pull().data(), tasks(), c_.data(),
                           watch);
  entries_read_ += entries_of(*design_, columns);
  fresh_ = true;
}

Certificate Solver::certify_pool(bool with_others) {
  BlockTerms terms;
  for (std::size_t t = 0; t < pool_.blocks(); ++t) {
    double inner = 0.0, squared_w = 0.0, squared_u = 0.0;
    for (std::size_t k = 0; k < tasks(); ++k)
      for (std::size_t i = pool_.first(t); i < pool_.first(t) + pool_.width(t); ++i) {
        const double w = coef_[k * cols() + pool_.column()[i]], u = c_[k * pool_.size() + i];
        inner += w * u;
        squared_w += w * w;
        squared_u += u * u;
      }
    terms.add(static_cast<Index>(pool_.block(t)), inner, std::sqrt(squared_w), std::sqrt(squared_u),
              pool_.penalty(t));
  }
  if (with_others)
    for (const Index g : lazy_.evaluated())
      terms.add(g, 0.0, 0.0, lazy_.norm(g), penalty_of(layout_, g, l1_, l2_));
  return loss_->certify(terms, lazy_.square());
}

bool Solver::in_use(std::size_t g) const {
  for (std::size_t k = 0; k < tasks(); ++k)
    for (std::size_t i = 0; i < layout_.size(g); ++i)
      if (coef_[k * cols() + layout_.columns(g)[i]] != 0.0) return true;
  return false;
}

// A matrix that is computed anew in every step grows by the square of what it is not used for.
void Solver::keep_blocks_in_use() {
  std::vector<std::size_t> kept;
  for (std::size_t t = 0; t < pool_.blocks(); ++t) {
    double square = 0.0;
    for (std::size_t i = pool_.first(t); i < pool_.first(t) + pool_.width(t); ++i)
      square += c_[i] * c_[i];
    lazy_.set_norm(pool_.block(t), std::sqrt(square), loss_->pull());
    if (in_use(pool_.block(t)) || std::sqrt(square) >= pool_.penalty(t).l)
      kept.push_back(pool_.block(t));
  }
  if (kept.size() == pool_.blocks()) return;
  pool_.clear();
  for (const std::size_t g : kept) pool_.add(g);
  pool_.set_penalties(l1_, l2_);
  fresh_ = false;
}

bool Solver::enter() {
  std::vector<Index> violators;
  std::vector<double> gain(layout_.count());
  for (const Index g : lazy_.evaluated()) {
    const Penalty penalty = penalty_of(layout_, g, l1_, l2_);
    const double over = lazy_.norm(g) - penalty.l;
    if (!(over > 0.0)) continue;
    gain[g] = over * over / (lazy_.square()[g] + penalty.m);
    violators.push_back(g);
  }
  std::sort(violators.begin(), violators.end(),
            [&](Index a, Index b) { return gain[a] != gain[b] ? gain[a] > gain[b] : a < b; });
  violators.resize(places_for(violators));
  if (violators.empty()) return false;
  for (const Index g : violators) pool_.add(g);
  pool_.set_penalties(l1_, l2_);
  fresh_ = false;
  return true;
}

// As many as are in use already, or as their Gram entries cost a share of a pass.
std::size_t Solver::places_for(const std::vector<Index>& violators) const {
  if (design_->cols() <= kSmallColumns) return violators.size();
  std::size_t used = 0;
  for (std::size_t t = 0; t < pool_.blocks(); ++t) used += in_use(pool_.block(t)) ? 1 : 0;
  const double entry = design_->sparse() ? kSparseEntry : kDenseEntry;
  const double pass = kGrowthShare * entry * static_cast<double>(design_->entries());
  double cost = 0.0, columns = static_cast<double>(pool_.size());
  std::size_t count = 0;
  for (; count < violators.size(); ++count) {
    const double p = static_cast<double>(layout_.size(violators[count]));
    columns += p;
    cost += p * columns * design_->gram_entry_cost();
    if (count >= std::max(kEnterLeast, used) && cost > pass) break;
  }
  return count;
}

}  // namespace banditcd::groups
