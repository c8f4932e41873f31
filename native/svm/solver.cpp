#include "svm/solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include "svm/plan.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {
namespace {

// The largest cost C s_i must lie between these: below, a target of a small share of it is no
// longer a number with all its digits; above, the square of a sum of rows overflows. With weights
// it must be larger, so that costs without an inverse in float64 are nothing beside it.
constexpr double kLeastCost = 1e-300, kLeastWeighted = 1e-280, kMostCost = 1e150;
// An objective of responses that is not zero must lie between these: y is scaled by a power of two
// within 1e-60 .. 1e60, and the square of that does not take it out of float64 then.
constexpr double kLeastObjective = 1e-160, kMostObjective = 1e160;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

void check_cost(double cost, double least, bool paired) {
  if (cost >= least && cost <= kMostCost) return;
  throw std::invalid_argument("C times the largest sample weight is " + number(cost) +
                              (paired ? " on the scale of y" : "") +
                              ", and its square leaves float64. Choose C so that it lies between " +
                              number(least) + " and " + number(kMostCost));
}

// Of responses that no constant fits: the objective of the best one.
void check_loss(double loss) {
  if (loss >= kLeastObjective && loss <= kMostObjective) return;
  throw std::invalid_argument("C times the loss of the best constant is " + number(loss) +
                              " on the scale of y: the squares of y leave float64. Scale y, or " +
                              "choose C, so that it lies between " + number(kLeastObjective) +
                              " and " + number(kMostObjective));
}

}  // namespace

SvmSolver::SvmSolver(Rows rows, const Options& options)
    : rows_(std::move(rows)), options_(options), square_(rows_.stored().count()) {
  rows_.stored().squares(square_.data());
  double sum = 0.0;
  for (const double square : square_) {
    sum += square;
    largest_square_ = std::max(largest_square_, square);
  }
  if (!std::isfinite(sum))
    throw std::overflow_error("svm: X has entries that are not finite, or whose squares overflow");
  largest_weight_ = options_.sample_weight == nullptr && !square_.empty() ? 1.0 : 0.0;
  if (options_.sample_weight != nullptr)
    for (std::size_t i = 0; i < rows_.count(); ++i)
      largest_weight_ = std::max(largest_weight_, weight_of(i));
  w_.assign(rows_.dim(), 0.0);
}

void SvmSolver::set_duals(const double* a) {
  a_.assign(a, a + rows_.count());
  warm_ = true;
  kept_ = {};
}

// Rows of weight zero and empty rows are no part of the problem, nor are rows whose cost has no
// inverse in float64: beside the largest it is nothing.
void SvmSolver::build(double C) {
  const double least = options_.sample_weight == nullptr ? kLeastCost : kLeastWeighted;
  if (largest_weight_ > 0.0) check_cost(C * largest_weight_, least, rows_.paired());
  problem_ = Problem{};
  problem_.rows = &rows_;
  problem_.loss = options_.loss;
  problem_.free_bias = options_.free_bias;
  problem_.C = C;
  problem_.weights = options_.sample_weight;
  problem_.squares = square_.data();
  problem_.largest = largest_square_;
  constant_loss_ = 0.0;
  bool fits = true;  // the null model, exactly
  problem_.ids.reserve(rows_.count());
  for (std::size_t i = 0; i < rows_.count(); ++i) {
    const double cost = C * weight_of(i), goal = goal_of(i);
    if (!(cost >= std::numeric_limits<double>::min())) continue;
    if (is_empty(i)) {
      constant_loss_ += cost * loss_value(problem_.loss, goal);
      fits = fits && goal <= 0.0;
      continue;
    }
    problem_.add(static_cast<Index>(i));
  }
  null_ = problem_.paired() ? best_constant(problem_) : Constant{};
  problem_.null = null_.objective + constant_loss_;
  if (rows_.paired() && !(fits && null_.fits)) check_loss(problem_.null);
}

double SvmSolver::null_objective() const {
  const double objective = svm::null_objective(problem_);
  return problem_.paired() || problem_.free_bias ? objective : objective + constant_loss_;
}

// No weights and the best intercept, with its penalty: for classes this is below the objective of
// zero that tolerances are relative to. Of a free intercept of classes, the objective alone.
Constant SvmSolver::best_null() const {
  if (problem_.paired()) return {null_.value, problem_.null, null_.fits};
  if (rows_.constant() == 0.0 || problem_.free_bias) return {0.0, null_objective(), false};
  return best_constant(problem_);
}

void SvmSolver::set_null(double intercept, std::vector<double>& w) const {
  w.assign(problem_.dim(), 0.0);
  if (rows_.constant() != 0.0) w.back() = intercept / rows_.constant();
}

// Nothing to learn: no rows, or one class and a free intercept, which then fits it exactly, or a
// constant that fits all responses.
bool SvmSolver::trivial(Pair& pair) const {
  set_null(null_.value, pair.w);
  pair.a.assign(problem_.size(), 0.0);
  if (problem_.size() == 0) return true;
  if (problem_.paired()) {
    if (null_.objective == 0.0) return true;
    std::fill(pair.w.begin(), pair.w.end(), 0.0);
    return false;
  }
  if (!problem_.free_bias || null_objective() > 0.0) return false;
  pair.w.back() = rows_.label(problem_.ids.front());
  return true;
}

// The dual variables of the last call, in the new box, and the weights that belong to them.
void SvmSolver::start(Pair& pair, Watch& watch) {
  if (!warm_) return;
  pair.warm = true;
  for (std::size_t t = 0; t < pair.a.size(); ++t) {
    const double upper = problem_.loss == Loss::kHinge ? problem_.cost(t) : kInfinity;
    pair.a[t] = std::clamp(a_[problem_.ids[t]], 0.0, upper);
  }
  rows_.accumulate(problem_.ids.data(), pair.a.data(), pair.a.size(), pair.w.data());
  if (!problem_.free_bias) return;
  std::vector<double> margin(problem_.size());
  pair.w.back() = 0.0;
  rows_.margins(problem_.ids.data(), margin.size(), pair.w.data(), margin.data(), watch);
  pair.w.back() = best_bias(problem_, margin);
}

Report SvmSolver::solve(double C, const Limits& limits, double of_objective) {
  Watch watch(limits);
  Watch patient;
  const StoredRows& stored = rows_.stored();
  // A row without entries is read, too (rows_of.hpp).
  const auto rows = static_cast<double>(std::max<std::size_t>(stored.count(), 1));
  const double read = stored.entries_read(), pass = std::max(stored.entries(), rows);
  build(C);
  Report report;
  report.target = limits.tol * null_objective();
  of_objective_ = of_objective;
  Budget budget;
  budget.entries = read + limits.max_iter * pass;
  budget.looser = std::max(1.0, limits.tol / kUsualTolerance);
  Pair pair;
  if (trivial(pair)) {
    report.certificate = certificate(pair, report.target);
  } else {
    start(pair, patient);
    if (!still_fine(C, pair, report)) improve(budget, pair, report, watch);
  }
  if (!report.accepted() || !(report.certificate.gap <= null_objective()))
    fall_back(pair, report.certificate);
  report.certificate.primal += constant_loss_;
  if (report.accepted()) report.status = Status::kConverged;
  report.regime = regime_name(pair.regime);
  kept_ = {C, report.certificate.gap, pair.regime};
  store(std::move(pair), C);
  // Bins and steps, which read less than a pass at the end. Where the limit ends a solve that much
  // was spent, in Gram space by bins of many passes.
  const double most = std::ceil(limits.max_iter);
  report.iterations = static_cast<std::size_t>(
      report.status == Status::kMaxIter ? most : std::min(static_cast<double>(budget.bins), most));
  for (const double a : a_) report.support += a != 0.0;
  report.passes = (stored.entries_read() - read) / pass;
  report.complete(rows_.constant() != 0.0 ? w_.back() * rows_.constant() : 0.0);
  report.seconds = watch.seconds();
  return report;
}

// Whether the last pair answers the same question once more. Its weights need not be those of its
// dual variables, so that a method would have to find its way back to them.
bool SvmSolver::still_fine(double C, Pair& pair, Report& report) const {
  if (!(C == kept_.C && kept_.gap <= report.target)) return false;
  Pair last{w_, pair.a, true, false, kept_.regime, Bias::kKeep};
  report.certificate = certify(problem_, last.bias, last.w, last.a);
  tighten(report);
  if (!report.accepted()) return false;
  pair = std::move(last);
  return true;
}

// Follows the plan, with more ambition where the certificate is not what the methods saw, and with
// a smaller target where the objective is small.
void SvmSolver::improve(Budget& budget, Pair& pair, Report& report, Watch& watch) {
  Plan plan(problem_, null_objective());
  if (forced_ != Regime::kNull) plan.force(forced_);
  Outcome outcome = Outcome::kStalled;
  std::size_t aim = 0;
  for (std::size_t k = 0; aim < std::size(kAims); ++k) {
    budget.target = kAims[aim] * report.target;
    budget.share = kAims[aim] * of_objective_;
    budget.outside = constant_loss_;
    budget.copy = aim == 0;
    try {
      outcome = plan.choose(budget, pair, watch);
    } catch (const Stopped& stop) {
      report.status = status_of(stop);
    }
    report.certificate = certificate(pair, report.target);
    const bool smaller = tighten(report);
    if (report.accepted() || report.status != Status::kStalled || outcome != Outcome::kConverged)
      break;
    if (!smaller || k >= kTighter) ++aim;
  }
  if (outcome == Outcome::kBudget && report.status == Status::kStalled)
    report.status = Status::kMaxIter;
}

// The target that belongs to the objective at hand. True if it is another one.
bool SvmSolver::tighten(Report& report) const {
  const double most = of_objective_ * (report.certificate.primal + constant_loss_);
  if (!(most < report.target)) return false;
  report.target = most;
  return true;
}

// Rounding, or too few passes, may leave weights worse than the null model's, or a dual point worse
// than zero, whose value is zero; the other of the two may be fine.
void SvmSolver::fall_back(Pair& pair, Certificate& certificate) const {
  const double null = null_objective();
  const Constant best = best_null();
  if (!(certificate.primal + constant_loss_ <= best.objective)) {
    set_null(best.value, pair.w);
    const Bias bias = problem_.paired() ? Bias::kKeep : Bias::kBest;
    certificate = certify(problem_, bias, pair.w, pair.a);
  }
  if (certificate.gap <= null) return;
  pair.a.assign(problem_.size(), 0.0);
  certificate = certify(problem_, Bias::kKeep, pair.w, pair.a);
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

// Keeps the pair; a row that cannot move w sits where its own term is smallest (margin 0).
void SvmSolver::store(Pair pair, double C) {
  w_ = std::move(pair.w);
  warm_ = true;
  if (pair.a.size() == rows_.count()) {
    a_ = std::move(pair.a);
    return;
  }
  a_.resize(rows_.count());
  for (std::size_t i = 0; i < a_.size(); ++i)
    a_[i] = is_empty(i) ? C * weight_of(i) * loss_slope(problem_.loss, goal_of(i)) : 0.0;
  for (std::size_t t = 0; t < pair.a.size(); ++t) a_[problem_.ids[t]] = pair.a[t];
}

}  // namespace banditcd::svm
