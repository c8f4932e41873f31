#include "svm/solver.hpp"

#include <cmath>
#include <stdexcept>

namespace banditcd::svm {

SvmSolver::SvmSolver(std::unique_ptr<Rows> rows, const Options& options)
    : rows_(std::move(rows)), options_(options), square_(rows_->count()) {
  rows_->squares(square_.data());
  double sum = 0.0;
  for (const double square : square_) sum += square;
  if (!std::isfinite(sum))
    throw std::overflow_error("svm: X has entries that are not finite, or whose squares overflow");
  w_.assign(rows_->dim(), 0.0);
  a_.assign(rows_->count(), 0.0);
}

void SvmSolver::set_duals(const double* a) {
  std::copy_n(a, a_.size(), a_.begin());
  warm_ = true;
}

// Rows of weight zero and empty rows are no part of the problem.
void SvmSolver::build(double C) {
  problem_ = Problem{};
  problem_.rows = rows_.get();
  problem_.loss = options_.loss;
  problem_.free_bias = options_.free_bias;
  constant_loss_ = 0.0;
  const double c = rows_->constant();
  problem_.ids.reserve(square_.size());
  problem_.cost.reserve(square_.size());
  problem_.square.reserve(square_.size());
  for (std::size_t i = 0; i < square_.size(); ++i) {
    const double cost = C * weight_of(i);
    const double square = square_[i] + c * c, goal = goal_of(i);
    if (!(cost > 0.0)) continue;
    if (!(square > 0.0)) {
      constant_loss_ += cost * loss_value(problem_.loss, goal);
      continue;
    }
    if (rows_->goals() != nullptr) problem_.goal.push_back(goal);
    problem_.ids.push_back(static_cast<Index>(i));
    problem_.cost.push_back(cost);
    problem_.square.push_back(square);
  }
  null_ = problem_.paired() ? best_constant(problem_) : Constant{};
  problem_.null = null_.objective + constant_loss_;
}

// The objective of w = 0 with, if it is free, the best intercept.
double SvmSolver::null_objective() const {
  if (problem_.paired()) return problem_.null;
  if (!problem_.free_bias) return problem_.total_cost() + constant_loss_;
  double sum[2] = {0.0, 0.0};
  for (std::size_t t = 0; t < problem_.size(); ++t)
    sum[rows_->labels()[problem_.ids[t]] > 0.0] += problem_.cost[t];
  if (problem_.loss == Loss::kHinge) return 2.0 * std::min(sum[0], sum[1]);
  return sum[0] + sum[1] > 0.0 ? 4.0 * sum[0] * (sum[1] / (sum[0] + sum[1])) : 0.0;
}

// The zero model with the best intercept, if there is one to choose.
void SvmSolver::set_null(Pair& pair) const {
  pair.w.assign(problem_.dim(), 0.0);
  pair.a.assign(problem_.size(), 0.0);
  if (problem_.paired() && rows_->constant() != 0.0)
    pair.w.back() = null_.value / rows_->constant();
}

// Nothing to learn: no rows, or one class and a free intercept, which then fits it exactly, or a
// constant that fits all responses.
bool SvmSolver::trivial(Pair& pair) const {
  set_null(pair);
  if (problem_.size() == 0) return true;
  if (problem_.paired()) {
    if (null_.objective == 0.0) return true;
    std::fill(pair.w.begin(), pair.w.end(), 0.0);
    return false;
  }
  if (!problem_.free_bias || null_objective() > 0.0) return false;
  pair.w.back() = rows_->labels()[problem_.ids.front()];
  return true;
}

// The dual variables of the last call, in the new box, and the weights that belong to them.
void SvmSolver::start(Pair& pair, Watch& watch) const {
  if (!warm_) return;
  pair.warm = true;
  for (std::size_t t = 0; t < pair.a.size(); ++t) {
    const double upper =
        problem_.loss == Loss::kHinge ? problem_.cost[t] : std::numeric_limits<double>::infinity();
    pair.a[t] = std::clamp(a_[problem_.ids[t]], 0.0, upper);
  }
  rows_->accumulate(problem_.ids.data(), pair.a.data(), pair.a.size(), pair.w.data());
  if (!problem_.free_bias) return;
  std::vector<double> margin(problem_.size());
  pair.w.back() = 0.0;
  rows_->margins(problem_.ids.data(), margin.size(), pair.w.data(), margin.data(), watch);
  pair.w.back() = best_bias(problem_, margin);
}

Report SvmSolver::solve(double C, const Limits& limits) {
  Watch watch(limits);
  Watch patient;
  const double read = rows_->entries_read(), pass = std::max(rows_->entries(), 1.0);
  build(C);
  Report report;
  report.target = limits.tol * null_objective();
  Budget budget;
  Pair pair;
  Outcome outcome = Outcome::kConverged;
  const bool done = trivial(pair);
  if (!done) start(pair, patient);
  // Rounding may leave the true gap above the one a method saw: then it has to go further.
  for (const double share : {0.98, 0.3, 0.03}) {
    budget.target = share * report.target;
    budget.entries = read + limits.max_iter * pass;
    budget.copy = share == 0.98;
    try {
      if (!done) outcome = choose(budget, pair, watch);
    } catch (const Stopped& stop) {
      report.status = status_of(stop);
      outcome = Outcome::kBudget;
    }
    report.certificate = certificate(pair, report.target);
    if (report.certificate.gap <= report.target || outcome != Outcome::kConverged) break;
  }
  if (!(report.certificate.gap <= null_objective())) fall_back(pair, report.certificate);
  if (report.certificate.gap <= report.target)
    report.status = Status::kConverged;
  else if (outcome == Outcome::kBudget && report.status == Status::kStalled)
    report.status = Status::kMaxIter;
  report.regime = regime_name(pair.regime);
  report.iterations = budget.bins;
  report.certificate.primal += constant_loss_;
  store(pair, C);
  for (const double a : a_) report.support += a != 0.0;
  report.passes = (rows_->entries_read() - read) / pass;
  if (rows_->constant() != 0.0) report.intercept = w_.back() * rows_->constant();
  report.seconds = watch.seconds();
  return report;
}

// Rounding, or too few passes, left a dual point worse than zero, whose value is zero; w may be
// fine.
void SvmSolver::fall_back(Pair& pair, Certificate& certificate) const {
  const bool useful = certificate.primal + constant_loss_ <= null_objective();
  if (useful)
    pair.a.assign(problem_.size(), 0.0);
  else
    set_null(pair);
  const Bias bias = useful || problem_.paired() ? Bias::kKeep : Bias::kBest;
  certificate = certify(problem_, bias, pair.w, pair.a);
}

// Nothing is read again that descent has just read: its gap terms, and its w in place of v where
// rounding can have moved it by next to nothing.
Certificate SvmSolver::certificate(Pair& pair, double target) const {
  constexpr double negligible = 1e-6;
  if (pair.terms < 0.0 || problem_.free_bias) return certify(problem_, pair.bias, pair.w, pair.a);
  const bool same = 0.5 * pair.drift * pair.drift <= negligible * target;
  return same ? certify_near(problem_, {pair.terms, pair.drift}, pair.w, pair.a)
              : certify_from(problem_, pair.terms, pair.w, pair.a);
}

// The slope of the loss at margin 0, in units of the cost (halves for the squared hinge).
double SvmSolver::still(double goal) const {
  if (goal <= 0.0) return 0.0;
  return problem_.loss == Loss::kHinge ? 1.0 : goal;
}

// Keeps the pair; a row that cannot move w sits where its own term is smallest (margin 0).
void SvmSolver::store(const Pair& pair, double C) {
  w_ = pair.w;
  const double unit = problem_.loss == Loss::kHinge ? C : 2.0 * C, c = rows_->constant();
  for (std::size_t i = 0; i < a_.size(); ++i) {
    a_[i] = square_[i] + c * c > 0.0 ? 0.0 : unit * weight_of(i) * still(goal_of(i));
  }
  for (std::size_t t = 0; t < pair.a.size(); ++t) a_[problem_.ids[t]] = pair.a[t];
  warm_ = true;
}

}  // namespace banditcd::svm
