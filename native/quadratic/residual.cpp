#include "quadratic/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/vector.hpp"
#include "quadratic/anderson.hpp"
#include "quadratic/idleness.hpp"
#include "solve/strategy.hpp"

namespace banditcd {
namespace {

constexpr int kMaxEpochs = 5000;
constexpr double kIdleEpochs = 500.0;  // what is spent without progress, at most
constexpr int kFirstLook = 4;          // epochs before the first look at the pool
constexpr int kGapPeriod = 10;         // epochs between two further looks
constexpr int kFadingPeriod = 2;       // epochs between two looks at the objective
constexpr int kNewtonFirst = 21;       // the first try follows a look: the pace before it is stale
constexpr int kNewtonPeriod = 20;      // epochs between two Newton steps; doubled when one fails
constexpr double kSettled = 0.02;      // share of the signs that may still change before a try

// Digits beyond those that are enough: they may take as long as these did, or this many epochs.
class Digits {
 public:
  explicit Digits(double enough) : enough_(enough) {}
  void spend(double epochs) { spent_ += epochs; }
  // Whether what is beyond enough took too long.
  bool over(double gap) {
    if (gap <= enough_) most_ = std::min(most_, spent_ + std::max(kLeast, kShare * spent_));
    return spent_ > most_;
  }

 private:
  static constexpr double kLeast = 20.0, kShare = 1.0;
  double enough_, spent_ = 0.0, most_ = std::numeric_limits<double>::infinity();
};

// How long epochs alone will take, if the gap goes on falling as it did between the last two looks.
class Pace {
 public:
  void look(int epoch, double gap, double target) {
    const double rate = std::log(gap_ / gap) / (epoch - epoch_);
    left_ = epoch_ > 0 && rate > 0.0 ? std::log(gap / target) / rate : kForever;
    epoch_ = epoch;
    gap_ = gap;
  }
  double epochs_left() const { return left_; }

 private:
  static constexpr double kForever = std::numeric_limits<double>::infinity();
  int epoch_ = 0;
  double gap_ = 0.0, left_ = kForever;
};

}  // namespace

void ResidualSolver::solve(const ResidualProblem& problem, double target, Watch& watch) {
  choose_active(problem);
  order_cold_start(problem);
  stored_ = 0;
  if (problem.least_progress > 0.0) first_ = last_ = pool_objective(problem);
  Idleness idleness(kIdleEpochs);
  Digits digits(problem.enough);
  costly_ = false;
  products_ = 0;
  int next_newton = kNewtonFirst, period = kNewtonPeriod, price = problem.gradient_steps;
  Pace pace;
  for (int epoch = 1; epoch <= kMaxEpochs; ++epoch) {
    const std::size_t changes = sweep_active(problem, watch);
    ++epochs_;
    watch.check();
    extrapolate(problem);
    const bool due = pace.epochs_left() > price || epoch >= next_newton + price;
    if (epoch >= next_newton && due && static_cast<double>(changes) <= kSettled * active_.size()) {
      const int before = products_;
      if (!newton(problem, watch)) period *= 2;
      if (products_ > before) price = 2 * (products_ - before);
      next_newton = epoch + period;
      pace = Pace();
    }
    if (epoch % kFadingPeriod == 0 && fading(problem)) return;
    if (epoch != kFirstLook && epoch % kGapPeriod != 0) continue;
    const Certificate now = certificate(problem, watch);
    const double spent = static_cast<double>(kGapPeriod + std::exchange(products_, 0));
    idleness.spend(spent);
    digits.spend(spent);
    if (now.gap <= target || idleness.over(now, support(problem))) return;
    costly_ = digits.over(now.gap);
    if (costly_) return;
    pace.look(epoch, now.gap, target);
    choose_active(problem);
    stored_ = 0;
  }
}

void ResidualSolver::choose_active(const ResidualProblem& problem) {
  active_.clear();
  for (std::size_t t = 0; t < problem.size; ++t)
    if (problem.x[t] != 0.0 || problem.g[t].excess(problem.c[t]) > 0.0)
      active_.push_back(static_cast<Index>(t));
}

// From zero the columns move in the order of their marginal decreases: those that come late find
// the residual smaller, and fewer of them enter that would have to leave again. Later epochs follow
// the memory.
void ResidualSolver::order_cold_start(const ResidualProblem& problem) {
  if (support(problem) > 0) return;
  std::vector<double> decrease(problem.size);
  for (const Index t : active_) {
    const double excess = problem.g[t].excess(problem.c[t]);
    const double h = problem.facts->square[problem.column[t]] + problem.g[t].m;
    decrease[t] = h > 0.0 ? excess * excess / h : kInfinity;
  }
  std::sort(active_.begin(), active_.end(), [&](Index a, Index b) {
    return decrease[a] > decrease[b] || (decrease[a] == decrease[b] && a < b);
  });
}

std::size_t ResidualSolver::sweep_active(const ResidualProblem& problem, Watch& watch) {
  const ColumnSweep request{problem.column, active_.data(), active_.size(),
                            problem.g,      problem.x,      problem.weighted};
  return problem.design->sweep(*problem.space, *problem.facts, request, watch);
}

// |R|^2 from s * R; rows of weight zero have no part in it.
double ResidualSolver::square(const ResidualProblem& problem, const double* weighted) const {
  const std::size_t n = problem.space->rows;
  const double* s = problem.space->weight;
  if (s == nullptr) return dot(weighted, weighted, n);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    if (s[i] > 0.0) sum += weighted[i] * weighted[i] / s[i];
  return sum;
}

double ResidualSolver::objective(const ResidualProblem& problem, const double* x_active,
                                 const double* weighted) const {
  double sum = 0.5 * square(problem, weighted);
  for (std::size_t t = 0; t < active_.size(); ++t) sum += problem.g[active_[t]].value(x_active[t]);
  return sum;
}

double ResidualSolver::pool_objective(const ResidualProblem& problem) const {
  double sum = 0.5 * square(problem, problem.weighted);
  for (std::size_t t = 0; t < problem.size; ++t) sum += problem.g[t].value(problem.x[t]);
  return sum;
}

std::size_t ResidualSolver::support(const ResidualProblem& problem) const {
  return problem.size -
         static_cast<std::size_t>(std::count(problem.x, problem.x + problem.size, 0.0));
}

bool ResidualSolver::fading(const ResidualProblem& problem) {
  if (problem.least_progress == 0.0) return false;
  const double now = pool_objective(problem), before = last_;
  last_ = now;
  return before - now <= problem.least_progress * (first_ - now);
}

Certificate ResidualSolver::certificate(const ResidualProblem& problem, Watch& watch) {
  problem.design->correlate(problem.column, problem.size, problem.weighted, problem.c, watch);
  terms_.clear();
  for (std::size_t t = 0; t < problem.size; ++t)
    if (problem.x[t] != 0.0 || std::abs(problem.c[t]) >= kNearThreshold * problem.g[t].l)
      terms_.add(problem.x[t], problem.c[t], problem.g[t]);
  return certify(terms_, square(problem, problem.weighted));
}

// Anderson extrapolation of the pair (x, s R), which moves affinely. The first s R has no weight in
// it and the last is that of the problem: the others are kept, and their sum takes the place of
// one.
void ResidualSolver::extrapolate(const ResidualProblem& problem) {
  const std::size_t n = problem.space->rows, m = active_.size();
  std::vector<double>& x = history_x_[stored_];
  x.resize(m);
  for (std::size_t t = 0; t < m; ++t) x[t] = problem.x[active_[t]];
  if (stored_ > 0 && stored_ < kMemory)
    history_v_[stored_ - 1].assign(problem.weighted, problem.weighted + n);
  if (++stored_ <= kMemory) return;
  stored_ = 0;
  double z[kMemory];
  if (!anderson_weights(history_x_, m, z)) return;
  trial_x_.assign(m, 0.0);
  for (std::size_t k = 0; k < kMemory; ++k)
    axpy(z[k], history_x_[k + 1].data(), trial_x_.data(), m);
  for (std::size_t t = 0; t < m; ++t)
    if (trial_x_[t] != problem.g[active_[t]].clip(trial_x_[t])) return;
  std::vector<double>& v = history_v_[0];
  for (double& value : v) value *= z[0];
  for (std::size_t k = 1; k < kMemory; ++k)
    axpy(z[k], k + 1 < kMemory ? history_v_[k].data() : problem.weighted, v.data(), n);
  if (!(objective(problem, trial_x_.data(), v.data()) <
        objective(problem, history_x_[kMemory].data(), problem.weighted)))
    return;
  for (std::size_t t = 0; t < m; ++t) problem.x[active_[t]] = trial_x_[t];
  std::copy(v.begin(), v.end(), problem.weighted);
}

}  // namespace banditcd
