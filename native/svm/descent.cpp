#include "svm/descent.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace banditcd::svm {

Descent::Descent(const Problem& problem) : problem_(problem), arms_(problem.rows->count()) {
  const std::size_t n = problem.size();
  const double c = problem.rows->constant();
  // A free intercept is a multiplier: its step is the augmentation of sum y a = 0 (Hestenes, 1969),
  // on the scale of the features and at least that of the whole cost.
  bias_step_ = c;
  if (problem.free_bias)
    bias_step_ = std::max(problem.mean_square() - c * c, 1.0 / problem.total_cost());
  for (std::size_t t = 0; t < n; ++t) {
    Arm& arm = arms_[problem.ids[t]];
    const bool hinge = problem.loss == Loss::kHinge;
    const double shift = hinge ? 0.0 : 0.5 / problem.cost[t];
    arm.bound = hinge ? problem.cost[t] : shift;
    arm.inverse = 1.0 / (problem.square[t] + c * (bias_step_ - c) + shift);
    arm.where = problem.rows->where(static_cast<std::size_t>(problem.ids[t]));
  }
  slack_.assign(n, 0.0);
  seen_.assign(n, 0);
  norm_.resize(n);
  for (std::size_t t = 0; t < n; ++t) norm_[t] = std::sqrt(problem.square[t]);
  for (auto* rows : {&evaluated_, &ids_, &order_}) rows->reserve(n);
  ring_.resize(problem.dim());
  w_.assign(problem.dim(), 0.0);
}

void Descent::start(const std::vector<double>& w, const std::vector<double>& a) {
  cold_ = false;
  visits_ = kInfinity;
  w_ = w;
  for (std::size_t t = 0; t < a.size(); ++t) arms_[problem_.ids[t]].a = a[t];
}

double Descent::upper(const Arm& arm) const {
  return problem_.loss == Loss::kHinge ? arm.bound : kInfinity;
}

std::vector<double> Descent::duals() const {
  std::vector<double> out(problem_.size());
  for (std::size_t t = 0; t < out.size(); ++t) out[t] = arms_[problem_.ids[t]].a;
  return out;
}

// Half of the memory to read: rounding the data moves the optimum by far less than the target, and
// the certificate is that of the data themselves.
bool Descent::may_copy(const Budget& budget) const {
  if (!budget.copy || problem_.free_bias) return false;
  const auto range = std::minmax_element(problem_.square.begin(), problem_.square.end());
  return *range.first > kCopyLeast && *range.second < kCopyMost &&
         budget.target >= kCopyTarget * problem_.reference();
}

Outcome Descent::run(Budget& budget, Watch& watch) {
  struct Reading {
    Rows& rows;
    ~Reading() { rows.read_copy(false); }
  } reading{*problem_.rows};
  return run_bins(budget, watch);
}

Outcome Descent::run_bins(Budget& budget, Watch& watch) {
  const double begin = problem_.rows->entries_read(), pass = problem_.rows->entries();
  target_ = budget.target;
  if (problem_.rows->has_copy()) copying_ = problem_.rows->read_copy(may_copy(budget));
  int idle = 0;
  for (std::size_t bin = 0;; ++bin) {
    const double before = gap_;
    problem_.free_bias ? refresh_balanced() : refresh(watch);
    fresh_ = true;
    if (gap_ <= budget.target) return Outcome::kConverged;
    const double read = problem_.rows->entries_read();
    if (read > budget.entries) return Outcome::kBudget;
    note(read - begin);
    if (bin == 1 && budget.rival.direct && crawls(budget.rival)) return Outcome::kOvertaken;
    if (bin > 1 && overtaken(budget)) return Outcome::kOvertaken;
    ++budget.bins;
    if (!copying_ && bin > 1 && entries_ahead() > kCopyPasses * pass)
      copying_ = problem_.rows->read_copy(may_copy(budget));
    // With a rival, bins are short at first: each tells how fast the gap falls.
    double limit = budget.entries;
    if (budget.rival.exists())
      limit = std::min(limit, read + std::max(kShortBin * pass, kLongerBin * (read - begin)));
    const double decrease = inner_passes(bin == 0 ? kFirstPasses : kInnerPasses, limit, watch);
    // Bins that gain nothing that the gap could notice: the accuracy of the data is exhausted.
    const bool useful = decrease > 1e-4 * gap_ || (bin > 0 && gap_ < 0.999 * before);
    idle = useful ? 0 : idle + 1;
    if (idle >= (problem_.free_bias ? 500 : 200)) return Outcome::kStalled;
  }
}

void Descent::note(double read) {
  read_[0] = read_[1];
  measured_[0] = measured_[1];
  read_[1] = read;
  measured_[1] = gap_;
  if (measured_first_ == 0.0) measured_first_ = gap_;
}

// Whether the first pass tells that descent will take very long: of the gap that is left it gained
// so little that as many passes as it takes to close it cost more than the rival's first steps.
bool Descent::crawls(const Rival& rival) const {
  if (!(gap_ > kCrawlGap * measured_first_)) return false;
  const double pass = rival.entry * problem_.rows->entries();
  return decrease_ * std::max(kCrawlPasses, rival.once / pass) < gap_;
}

// The entries to be read until the target is reached at the pace of the last bin, or of the whole
// way if that was faster: bins differ in length.
double Descent::entries_ahead() const {
  const double last = std::log(measured_[0] / measured_[1]) / (read_[1] - read_[0]);
  const double mean = std::log(measured_first_ / gap_) / read_[1];
  const double pace = std::max({last, mean, 0.0});
  return pace > 0.0 ? std::log(gap_ / target_) / pace : kInfinity;
}

// Whether the rest of the way costs more than the rival would.
bool Descent::overtaken(const Budget& budget) const {
  const Rival& rival = budget.rival;
  if (!rival.exists()) return false;
  const double theirs = rival.once + rival.decade * std::log10(gap_ / budget.target);
  const double ours = entries_ahead() * rival.entry;
  const bool patient = read_[1] * rival.entry < kPatience * theirs;
  return ours > (patient ? kHopeless : 1.0) * theirs;
}

// Margins of the rows that may matter; the gap is the sum of their terms, because w = v here.
void Descent::refresh(Watch& watch) {
  ring_.relate(w_.data());
  const Ring::Place expiring = ring_.expiring();
  evaluated_.clear();
  ids_.clear();
  for (std::size_t t = 0; t < problem_.size(); ++t)
    if (slack_[t] <= 0.0 || seen_[t] == expiring ||
        norm_[t] * ring_.distance(seen_[t]) >= slack_[t]) {
      evaluated_.push_back(static_cast<Index>(t));
      ids_.push_back(problem_.ids[t]);
    }
  margin_.assign(ids_.size(), 0.0);
  if (!cold_) problem_.rows->margins(ids_.data(), ids_.size(), w_.data(), margin_.data(), watch);
  cold_ = false;
  choose_rows();
}

void Descent::choose_rows() {
  const Ring::Place now = ring_.remember(w_.data());
  order_.clear();
  gap_ = 0.0;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const Index t = evaluated_[k];
    const Arm& arm = arms_[ids_[k]];
    const double u = problem_.goal_of(t) - margin_[k];
    gap_ += gap_term(problem_.loss, problem_.cost[t], arm.a, u);
    slack_[t] = arm.a <= 0.0 ? -u : arm.a >= upper(arm) ? u : 0.0;
    seen_[t] = now;
    if (slack_[t] <= 0.0) order_.push_back(ids_[k]);
  }
}

// With a free intercept: the certificate of the balanced pair, then a step of the multiplier.
void Descent::refresh_balanced() {
  a_ = duals();
  std::vector<double> balanced = a_, w = w_;
  gap_ = certify(problem_, Bias::kBest, w, balanced).gap;
  double residual = 0.0;
  for (std::size_t t = 0; t < a_.size(); ++t)
    residual += problem_.rows->labels()[problem_.ids[t]] * a_[t];
  if (cold_) w_.back() = w.back();
  cold_ = false;
  w_.back() += bias_step_ * residual;
  order_ = problem_.ids;
}

// Neighboring rows stay together: rows in an order of their own cost several times as much to read,
// and short stretches in random order descend as well as single rows.
void Descent::shuffle(Sweep& sweep) {
  const std::size_t block = problem_.dim() > kWideColumns ? kWideBlock : kBlock;
  const std::size_t blocks = (sweep.count + block - 1) / block;
  blocks_.resize(blocks);
  std::iota(blocks_.begin(), blocks_.end(), 0);
  rng_.shuffle(blocks_.data(), blocks);
  shuffled_.resize(order_.size());
  Index* out = shuffled_.data();
  for (const Index b : blocks_) {
    const std::size_t first = static_cast<std::size_t>(b) * block;
    out = std::copy_n(order_.data() + first, std::min(block, sweep.count - first), out);
  }
  order_.swap(shuffled_);
  sweep.order = order_.data();
}

Sweep Descent::sweep_over(std::vector<Index>& order) {
  Sweep sweep;
  sweep.order = order.data();
  sweep.count = order.size();
  sweep.arms = arms_.data();
  sweep.w = w_.data();
  sweep.boxed = problem_.loss == Loss::kHinge;
  sweep.bias_step = bias_step_;
  sweep.goal = problem_.rows->goals();
  sweep.drop = kInfinity;
  return sweep;
}

void Descent::run_pass(Sweep& sweep) {
  visits_ += static_cast<double>(sweep.count);
  problem_.rows->sweep(sweep);
  gained_ += sweep.decrease;
}

// Every step rounds w by at most 2 eps (|w| + |step| |z|), and both are at most the sum of all
// |step| |z|. A step gains at least 1/2 (step |z|)^2, so that sum is at most sqrt(2 visits gained).
double Descent::drift() const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  return 4.0 * eps * visits_ * std::sqrt(2.0 * visits_ * gained_);
}

// A bin ends early at the limit of entries, where run() decides whether to go on.
double Descent::inner_passes(std::size_t most, double limit, Watch& watch) {
  Sweep sweep = sweep_over(order_);
  fresh_ = false;
  Gains gains;
  double last_decrease = kInfinity;
  bool remembered = false;
  for (std::size_t pass = 0; pass < most; ++pass) {
    shuffle(sweep);
    run_pass(sweep);
    if (++gains.passes == 1) gains.first = sweep.decrease;
    gains.total += sweep.decrease;
    watch.check();
    const double previous = std::exchange(decrease_, sweep.decrease);
    if (pass + 1 == most || sweep.count == 0 || sweep.decrease <= 0.0) break;
    if (problem_.rows->entries_read() > limit) break;
    if (arrived(previous, gains)) break;
    const bool small = sweep.decrease < kLeaveShareOfGap * gap_;
    if (small && sweep.decrease < kLeaveShareOfFirst * gains.first) break;
    sweep.drop = kDropShare * sweep.steepest;
    const bool slow = sweep.decrease > kSlow * last_decrease;
    last_decrease = sweep.decrease;
    if (slow && remembered)
      gains.total += revisit(sweep.count, kFarShare * sweep.steepest);
    else if (slow)
      remember_positions(sweep.count);
    remembered = slow && !remembered;
  }
  return gains.total;
}

// Whether the gap is probably below the target: passes gain less and less, in a sequence that looks
// geometric. The gap of the squared hinge falls with what is still to be gained, that of the hinge,
// which is linear in the gradients, with its root. The first pass of a bin has nothing to be
// compared with but the pace of an earlier bin.
bool Descent::arrived(double previous, const Gains& gains) {
  if (gains.passes > 1 || pace_ == 0.0) pace_ = std::max(decrease_ / previous, kLeastPace);
  if (!(pace_ < kArrivedPace)) return false;
  const double left = decrease_ * pace_ / (1.0 - pace_);
  if (problem_.loss == Loss::kSquaredHinge)
    return gap_ * left < kArrivedShare * target_ * (gains.total + left);
  return gap_ * std::sqrt(decrease_ * pace_ / gains.first) < kArrivedShare * target_;
}

void Descent::remember_positions(std::size_t count) {
  position_.resize(arms_.size());
  for (std::size_t k = 0; k < count; ++k) position_[order_[k]] = arms_[order_[k]].a;
}

// Rows that went far since their position was remembered, and are still inside their box, are the
// arms that pay: typically contradicting neighbors that push each other to their bounds, a little
// in every pass. They are few, so passes over them alone cost next to nothing.
double Descent::revisit(std::size_t count, double far) {
  std::vector<Index> movers;
  for (std::size_t k = 0; k < count; ++k) {
    const Arm& arm = arms_[order_[k]];
    const bool inside = arm.a > 0.0 && arm.a < upper(arm);
    if (inside && std::abs(arm.a - position_[order_[k]]) >= far * arm.inverse)
      movers.push_back(order_[k]);
  }
  double total = 0.0, first = 0.0;
  Sweep sweep = sweep_over(movers);
  std::size_t visits = 0;  // together at most one pass
  for (std::size_t pass = 0; pass < kRevisits && sweep.count > 0 && visits < count; ++pass) {
    visits += sweep.count;
    run_pass(sweep);
    total += sweep.decrease;
    if (pass == 0) first = sweep.decrease;
    if (sweep.decrease <= kRevisitShare * first) break;
  }
  return total;
}

}  // namespace banditcd::svm
