#include "quadratic/inner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/prices.hpp"

namespace banditcd {
namespace {

constexpr int kMaxRounds = 500;
constexpr double kRoundShare = 0.1;   // how far a round lowers the gap while violators wait
constexpr double kRoundGrowth = 0.5;  // violators per round, as a share of the support
constexpr std::size_t kRoundLeast = 20;
// What is spent without progress, at most: this many epochs, or as much as this many Newton steps
// would take, if there can be any.
constexpr double kIdleEpochs = 300.0, kIdleNewtons = 40.0;
constexpr double kIdleRounds = 8.0;
constexpr int kGapPeriod = 4;  // epochs between two looks at the gap
constexpr int kNewtonsInARow = 4;
constexpr int kPatience = 8;         // exact Newton steps that leave the gap where it was
constexpr double kGiveUp = 64.0;     // newton_penalty_ beyond which Newton is not tried again
constexpr double kRankExcess = 1.5;  // support beyond the rank that Newton may start from
constexpr double kBeyondRank = 8.0;  // and what the epochs must have cost until then, in steps
constexpr double kPackShare = 0.6;   // a copy pays if the active part is smaller than this
constexpr std::size_t kPackLeast = 128;

InnerSolver::Dependent without_square(const Quadratic& problem) {
  InnerSolver::Dependent count;
  for (std::size_t t = 0; t < problem.size; ++t) {
    if (problem.x[t] == 0.0 || problem.g[t].m > 0.0) continue;
    ++count.all;
    count.leaving += problem.g[t].l > 0.0;
  }
  return count;
}

// An epoch in which every coordinate moves, in nanoseconds.
double epoch_cost(const Quadratic& problem) {
  const double size = static_cast<double>(problem.size);
  return kEpochEntry * size * size + size;
}

}  // namespace

void InnerSolver::solve(Quadratic& pool, double target, std::size_t max_rank, Watch& watch) {
  newton_penalty_ = 1.0;
  work_ = 0.0;
  too_rough_ = false;
  idleness_ = Idleness(1.0);
  spent_ = 0.0;
  last_epoch_ = epochs_ + max_epochs_;
  Idleness rounds(kIdleRounds);
  double gap = pool.certificate(terms_).gap;
  for (int round = 0; round < kMaxRounds && gap > target && epochs_ < last_epoch_; ++round) {
    const bool all = choose_active(pool);
    if (active_.empty()) return;
    const bool pack = !all || (pool.size >= kPackLeast && active_.size() < kPackShare * pool.size);
    bool finished;
    if (pack) {
      const double part = std::max(target, all || !std::isfinite(gap) ? 0.0 : kRoundShare * gap);
      finished = descend(restrict_to_active(pool), 0.5 * part, max_rank, watch);
      write_back(pool);
    } else {
      finished = descend(pool, target, max_rank, watch);
    }
    pool.recompute(watch);
    const Certificate now = pool.certificate(terms_);
    gap = now.gap;
    rounds.spend(1.0);
    if (too_rough_ || idleness_.over() || rounds.over(now, pool.support()) || (finished && all))
      return;
  }
}

// The support and the violators with the largest marginal decreases: a cold start on all violators
// would factor matrices far larger than the support. Returns whether all of them were taken.
bool InnerSolver::choose_active(const Quadratic& pool) {
  active_.clear();
  violators_.clear();
  for (std::size_t j = 0; j < pool.size; ++j) {
    if (pool.x[j] != 0.0) {
      active_.push_back(j);
      continue;
    }
    const double excess = pool.g[j].excess(pool.c[j]);
    if (excess > 0.0)
      violators_.push_back({excess * excess / (pool.curvature(j) + pool.g[j].m), j});
  }
  const std::size_t limit =
      std::max(kRoundLeast, static_cast<std::size_t>(kRoundGrowth * active_.size()));
  const bool all = violators_.size() <= limit;
  if (!all) {
    std::nth_element(violators_.begin(), violators_.begin() + (limit - 1), violators_.end(),
                     [](const Violator& a, const Violator& b) { return a.r > b.r; });
    violators_.resize(limit);
  }
  for (const Violator& v : violators_) active_.push_back(v.j);
  std::sort(active_.begin(), active_.end());
  return all;
}

Quadratic InnerSolver::restrict_to_active(const Quadratic& pool) {
  const std::size_t m = active_.size(), stride = padded(m);
  gram_.reserve(m * stride);
  q_.resize(m);
  x_.resize(m);
  c_.resize(m);
  g_.resize(m);
  for (std::size_t s = 0; s < m; ++s) {
    const double* from = pool.row(active_[s]);
    double* to = gram_.data() + s * stride;
    for (std::size_t t = 0; t < m; ++t) to[t] = from[active_[t]];
    q_[s] = pool.q[active_[s]];
    x_[s] = pool.x[active_[s]];
    c_[s] = pool.c[active_[s]];
    g_[s] = pool.g[active_[s]];
  }
  return {m,         stride,    gram_.data(), q_.data(), g_.data(),
          x_.data(), c_.data(), pool.square,  pool.rough};
}

void InnerSolver::write_back(Quadratic& pool) {
  for (std::size_t s = 0; s < active_.size(); ++s) pool.x[active_[s]] = x_[s];
}

// Returns true if rounding allows no further progress on this set.
bool InnerSolver::descend(const Quadratic& problem, double target, std::size_t max_rank,
                          Watch& watch) {
  anderson_.clear();
  newton_.forget();
  idleness_.forget_gap();
  double best = kInfinity;
  int patience = kPatience;
  for (int epoch = 1; epochs_ < last_epoch_; ++epoch) {
    const Sweep result = sweep(problem, watch);
    ++epochs_;
    work_ += kEpochEntry * static_cast<double>(result.moves * problem.size) +
             static_cast<double>(problem.size);
    spent_ += 1.0;
    if (result.moves == 0) return true;
    watch.check();
    bool look = epoch % kGapPeriod == 0, exact = false;
    if (newton_pays(problem, result.signs_changed, max_rank)) {
      exact = try_newton(problem, max_rank, watch);
      anderson_.clear();
      if (too_rough_) return true;
    } else {
      anderson_.observe(problem);
    }
    if (!look && !exact) continue;
    const Certificate now = problem.certificate(terms_);
    const double gap = now.gap;
    if (gap <= target) return false;
    if (idle(problem, now, max_rank)) return true;
    // Exact on the support, again and again, and no better for it: this is rounding.
    if (exact && !(gap < 0.5 * best) && --patience == 0) return true;
    best = std::min(best, gap);
  }
  return true;
}

// Whether what was spent since the last look, and before, has led nowhere for too long.
bool InnerSolver::idle(const Quadratic& problem, const Certificate& now, std::size_t max_rank) {
  const std::size_t support = problem.support();
  double allowed = kIdleEpochs;
  if (newton_possible(without_square(problem), max_rank))
    allowed =
        std::max(allowed, kIdleNewtons * newton_.cost(problem, support) / epoch_cost(problem));
  idleness_.spend(std::exchange(spent_, 0.0) / allowed);
  return idleness_.over(now, support);
}

bool InnerSolver::newton_possible(const Dependent& plain, std::size_t max_rank) const {
  return newton_penalty_ <= kGiveUp &&
         static_cast<double>(plain.leaving) <= kRankExcess * static_cast<double>(max_rank);
}

bool InnerSolver::newton_pays(const Quadratic& problem, bool signs_changed,
                              std::size_t max_rank) const {
  const std::size_t support = problem.support();
  const Dependent plain = support > max_rank ? without_square(problem) : Dependent{};
  if (!newton_possible(plain, max_rank)) return false;
  const bool settled = !signs_changed && support <= max_rank;
  const double patience = plain.all > max_rank ? kBeyondRank : settled ? 0.5 : 2.0;
  return work_ > patience * newton_penalty_ * newton_.cost(problem, support);
}

// Returns whether the last step was exact on its support. Steps that are blocked go on until one is
// not: each leaves a coordinate out, so that they end.
bool InnerSolver::try_newton(const Quadratic& problem, std::size_t max_rank, Watch& watch) {
  work_ = 0.0;
  const double epoch = epoch_cost(problem);
  for (int t = 0; t < kNewtonsInARow || newton_.blocked(); ++t) {
    watch.check();
    spent_ += newton_.cost(problem, problem.support()) / epoch;
    const Newton::Outcome outcome = newton_.step(problem, max_rank, watch);
    ++newtons_;
    too_rough_ = outcome == Newton::Outcome::kTooRough;
    if (outcome == Newton::Outcome::kFailed || too_rough_) {
      newton_penalty_ *= 2.0;
      return false;
    }
    if (outcome != Newton::Outcome::kProgress) return true;
  }
  return false;
}

}  // namespace banditcd
