#include "svm/descent.hpp"

#include <algorithm>

#include "kernels/memory.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

Descent::Descent(const Problem& problem) : problem_(problem), passes_(problem), lazy_(problem) {
  order_.reserve(problem.size());
}

void Descent::start(Pair& pair) {
  if (!pair.same) {
    const double bias = pair.w.back();
    std::fill_n(pair.w.begin(), problem_.penalized(), 0.0);
    problem_.rows->accumulate(problem_.ids.data(), pair.a.data(), pair.a.size(), pair.w.data());
    if (problem_.free_bias) pair.w.back() = bias;
  }
  cold_ = from_zero_ = false;
  passes_.start(pair.w, pair.a);
}

Pair Descent::pair() const {
  const double terms = fresh() ? gap_ : -1.0;
  return {weights(), duals(), true, !copying_, Regime::kDescent, Bias::kBest, terms, drift()};
}

Pair Descent::last_pair() {
  release(order_);
  return pair();
}

// Half of the memory to read; the certificate is that of the data themselves.
bool Descent::may_copy(const Budget& budget) const {
  if (!budget.copy || problem_.free_bias) return false;
  for (std::size_t t = 0; t < problem_.size(); ++t)
    if (!(problem_.square(t) > kCopyLeast && problem_.square(t) < kCopyMost)) return false;
  return true;
}

// Rounding the data moves the optimum by far less than this gap. The terms of the squared hinge are
// squares of what rounding does to a margin.
double Descent::copy_floor() const {
  const double share = problem_.loss == Loss::kHinge ? kCopyTarget : kCopySquaredTarget;
  return share * problem_.reference();
}

// The same dual variables, with their weights for the data themselves. Nothing is known about their
// margins.
void Descent::leave_copy() {
  copying_ = problem_.rows->stored().read_copy(false);
  const std::vector<double> a = duals();
  std::vector<double> w(problem_.dim(), 0.0);
  problem_.rows->accumulate(problem_.ids.data(), a.data(), a.size(), w.data());
  passes_.start(w, a);
  lazy_ = LazyRows(problem_);
}

Outcome Descent::run(Budget& budget, Pace& pace, Watch& watch) {
  struct Reading {
    StoredRows& rows;
    ~Reading() { rows.read_copy(false); }
  } reading{problem_.rows->stored()};
  if (read_ > 0.0) ++bin_;
  if (copying_) copying_ = reading.rows.read_copy(true);
  const double before = reading.rows.entries_read() - read_;
  const Outcome outcome = run_bins(budget, pace, watch);
  read_ = reading.rows.entries_read() - before;
  return outcome;
}

// Main loop: bins until the gap is below its target, or another method would get there sooner.
Outcome Descent::run_bins(Budget& budget, Pace& pace, Watch& watch) {
  StoredRows& rows = problem_.rows->stored();
  const double begin = rows.entries_read() - read_, pass = rows.entries();
  if (bin_ == 0 && rows.has_copy()) copying_ = rows.read_copy(may_copy(budget));
  std::size_t idle = 0;
  for (;; ++bin_) {
    // 1. Refresh: margins of the rows that may matter, the gap, and the rows that can move.
    const double before = gap_;
    look(watch);
    const double target = follow_objective(budget);
    if (copying_ && budget.target < copy_floor() && gap_ <= copy_floor()) {
      leave_copy();
      pace.leave_copy();
      look(watch);
    }
    if (gap_ <= budget.target) return Outcome::kConverged;
    const double read = rows.entries_read();
    if (read > budget.entries) return Outcome::kBudget;

    // 2. Compare the way ahead with the rival's, from the second refresh on. Near the optimum the
    // gap falls by far more than what a pass gains: only a pass from zero can tell a crawl.
    pace.note(read - begin, gap_, target);
    if (bin_ == 1 && from_zero_ && pace.crawls(passes_.last_decrease(), pass))
      return Outcome::kOvertaken;
    if (pace.overtaken()) return Outcome::kOvertaken;
    ++budget.bins;

    // 3. Copy the rows to single precision if enough passes are ahead.
    if (!copying_ && bin_ > 1 && budget.target >= copy_floor() &&
        pace.entries_ahead() > kCopyPasses * pass)
      copying_ = rows.read_copy(may_copy(budget));

    // 4. Passes over the rows that can move. With a rival, bins are short at first: each tells how
    // fast the gap falls.
    BinEnd end{bin_ == 0 ? kFirstPasses : kInnerPasses, budget.entries, gap_, target};
    if (budget.rival.exists())
      end.entries =
          std::min(end.entries, read + std::max(kShortBin * pass, kLongerBin * (read - begin)));
    fresh_ = false;
    const double decrease = passes_.run(order_, end, watch);

    // 5. Give up after many bins that gained nothing that the gap could notice.
    const bool useful = decrease > kIdleGain * gap_ || (bin_ > 0 && gap_ < kIdleFall * before);
    idle = useful ? 0 : idle + 1;
    if (idle >= (problem_.free_bias ? kIdleBinsFree : kIdleBins)) return Outcome::kStalled;
  }
}

// At zero a row of a classification is one short of its goal, and nothing is known about it: all
// of them may move, and the gap is the whole cost.
void Descent::begin_at_zero() {
  cold_ = false;
  order_ = problem_.ids;
  gap_ = problem_.total_cost();
}

// A look that is stopped half-way leaves a part of the gap, which proves nothing.
void Descent::look(Watch& watch) {
  fresh_ = false;
  problem_.free_bias ? refresh_balanced() : refresh(watch);
  fresh_ = true;
}

// Margins of the rows that may matter; the gap is the sum of their terms, because w = v here.
void Descent::refresh(Watch& watch) {
  if (cold_ && !problem_.paired()) return begin_at_zero();
  lazy_.relate(weights().data());
  lazy_.remember(weights().data());
  order_.clear();
  gap_ = 0.0;
  for (std::size_t first = 0; first < problem_.size(); first += kRowsOfPart)
    refresh_part(first, watch);
  cold_ = false;
}

void Descent::refresh_part(std::size_t first, Watch& watch) {
  evaluated_.clear();
  ids_.clear();
  for (std::size_t t = first; t < std::min(problem_.size(), first + kRowsOfPart); ++t)
    if (lazy_.may_matter(t)) {
      evaluated_.push_back(static_cast<Index>(t));
      ids_.push_back(problem_.ids[t]);
    }
  margin_.assign(ids_.size(), 0.0);
  if (!cold_)
    problem_.rows->margins(ids_.data(), ids_.size(), weights().data(), margin_.data(), watch);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const Index t = evaluated_[k], id = ids_[k];
    const double a = passes_.dual(id), u = problem_.goal_of(t) - margin_[k];
    gap_ += gap_term(problem_.loss, problem_.cost(t), a, u);
    const double slack = a <= 0.0 ? -u : passes_.at_upper(id) ? u : 0.0;
    lazy_.set(t, slack);
    if (slack <= 0.0) order_.push_back(id);
  }
}

// Lowers the target to its share of P = D + gap, which needs no margins of rows that were not read;
// returns what passes are planned for. Far above P, as after a much larger C, D and the gap cancel:
// what is left says nothing, and the target waits.
double Descent::follow_objective(Budget& budget) const {
  if (!budget.wants_objective()) return budget.target;
  const auto dual_of = [&](std::size_t t) { return passes_.dual(problem_.ids[t]); };
  const double objective =
      problem_.free_bias ? objective_ : dual_value(problem_, weights(), dual_of) + gap_;
  if (!(objective > kCanceled * gap_)) return budget.target;
  budget.lower_target(objective);
  return budget.last_target(objective, gap_);
}

// With a free intercept: the certificate of the balanced pair, then a step of the multiplier.
void Descent::refresh_balanced() {
  const std::vector<double> a = duals();
  std::vector<double> balanced = a, w = weights();
  const Certificate seen = certify(problem_, Bias::kBest, w, balanced);
  gap_ = seen.gap;
  objective_ = seen.primal;
  double residual = 0.0;
  for (std::size_t t = 0; t < a.size(); ++t)
    residual += problem_.rows->label(problem_.ids[t]) * a[t];
  const double bias = cold_ ? w.back() : weights().back();
  cold_ = false;
  passes_.set_bias(bias + passes_.bias_step() * residual);
  order_ = problem_.ids;
}

}  // namespace banditcd::svm
