#include "svm/dual_passes.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "svm/strategy.hpp"

namespace banditcd::svm {

DualPasses::DualPasses(const Problem& problem) : problem_(problem), arms_(problem.rows->count()) {
  const double c = problem.rows->constant();
  // A free intercept is a multiplier: its step is the augmentation of sum y a = 0 (Hestenes, 1969),
  // on the scale of the features and at least that of the whole cost.
  bias_step_ = c;
  if (problem.free_bias)
    bias_step_ = std::max(problem.mean_square() - c * c, 1.0 / problem.total_cost());
  for (std::size_t t = 0; t < problem.size(); ++t) {
    Arm& arm = arms_[problem.ids[t]];
    const double shift = boxed() ? 0.0 : 0.5 / problem.cost(t);
    arm.bound = boxed() ? problem.cost(t) : shift;
    arm.inverse = 1.0 / (problem.square(t) + c * (bias_step_ - c) + shift);
    arm.where = problem.rows->where(static_cast<std::size_t>(problem.ids[t]));
  }
  w_.assign(problem.dim(), 0.0);
}

void DualPasses::start(const std::vector<double>& w, const std::vector<double>& a) {
  visits_ = kInfinity;
  w_ = w;
  for (std::size_t t = 0; t < a.size(); ++t) arms_[problem_.ids[t]].a = a[t];
}

std::vector<double> DualPasses::duals() const {
  std::vector<double> out(problem_.size());
  for (std::size_t t = 0; t < out.size(); ++t) out[t] = arms_[problem_.ids[t]].a;
  return out;
}

// Every step rounds w by at most 2 eps (|w| + |step| |z|), and both are at most the sum of all
// |step| |z|. A step gains at least 1/2 (step |z|)^2, so that sum is at most sqrt(2 visits gained).
double DualPasses::drift() const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  return 4.0 * eps * visits_ * std::sqrt(2.0 * visits_ * gained_);
}

Sweep DualPasses::sweep_over(std::vector<Index>& order) {
  const Responses responses = problem_.rows->responses();
  return {order.data(), order.size(), arms_.data(),      w_.data(), boxed(),
          bias_step_,   responses.y,  responses.epsilon, kInfinity};
}

// Neighboring rows stay together: rows in an order of their own cost several times as much to read,
// and short stretches in random order descend as well as single rows.
void DualPasses::shuffle(std::vector<Index>& order, Sweep& sweep) {
  const std::size_t block = problem_.dim() > kWideColumns ? kWideBlock : kBlock;
  const std::size_t blocks = (sweep.count + block - 1) / block;
  blocks_.resize(blocks);
  std::iota(blocks_.begin(), blocks_.end(), 0);
  rng_.shuffle(blocks_.data(), blocks);
  shuffled_.resize(order.size());
  Index* out = shuffled_.data();
  for (const Index b : blocks_) {
    const std::size_t first = static_cast<std::size_t>(b) * block;
    out = std::copy_n(order.data() + first, std::min(block, sweep.count - first), out);
  }
  order.swap(shuffled_);
  sweep.order = order.data();
}

void DualPasses::run_pass(Sweep& sweep) {
  visits_ += static_cast<double>(sweep.count);
  problem_.rows->stored().sweep(sweep);
  gained_ += sweep.decrease;
}

double DualPasses::run(std::vector<Index>& order, const BinEnd& end, Watch& watch) {
  Sweep sweep = sweep_over(order);
  Gains gains;
  double last_decrease = kInfinity;
  bool remembered = false;
  for (std::size_t pass = 0; pass < end.most; ++pass) {
    shuffle(order, sweep);
    run_pass(sweep);
    if (++gains.passes == 1) gains.first = sweep.decrease;
    gains.total += sweep.decrease;
    watch.check();
    const double previous = std::exchange(decrease_, sweep.decrease);
    if (pass + 1 == end.most || sweep.count == 0 || sweep.decrease <= 0.0) break;
    if (problem_.rows->stored().entries_read() > end.entries) break;
    if (arrived(previous, gains, end)) break;
    const bool small = sweep.decrease < kLeaveShareOfGap * end.gap;
    if (small && sweep.decrease < kLeaveShareOfFirst * gains.first) break;
    sweep.drop = kDropShare * sweep.steepest;
    const bool slow = sweep.decrease > kSlow * last_decrease;
    last_decrease = sweep.decrease;
    if (slow && remembered)
      gains.total += revisit(sweep);
    else if (slow)
      remember_positions(sweep);
    remembered = slow && !remembered;
  }
  return gains.total;
}

// Whether the gap is probably below the target: passes gain less and less, in a sequence that looks
// geometric. The gap of the squared hinge falls with what is still to be gained, that of the hinge,
// which is linear in the gradients, with its root. The first pass of a bin has nothing to be
// compared with but the pace of an earlier bin.
bool DualPasses::arrived(double previous, const Gains& gains, const BinEnd& end) {
  if (gains.passes > 1 || pace_ == 0.0) pace_ = std::max(decrease_ / previous, kLeastPace);
  if (!(pace_ < kArrivedPace)) return false;
  const double left = decrease_ * pace_ / (1.0 - pace_);
  if (problem_.loss == Loss::kSquaredHinge)
    return end.gap * left < kArrivedShare * end.target * (gains.total + left);
  return end.gap * std::sqrt(decrease_ * pace_ / gains.first) < kArrivedShare * end.target;
}

void DualPasses::remember_positions(const Sweep& sweep) {
  position_.resize(arms_.size());
  for (std::size_t k = 0; k < sweep.count; ++k) position_[sweep.order[k]] = arms_[sweep.order[k]].a;
}

// Rows that went far since their position was remembered, and are still inside their box, are the
// arms that pay: typically contradicting neighbors that push each other to their bounds, a little
// in every pass. They are few, so passes over them alone cost next to nothing.
double DualPasses::revisit(const Sweep& sweep) {
  const double far = kFarShare * sweep.steepest;
  std::vector<Index> movers;
  for (std::size_t k = 0; k < sweep.count; ++k) {
    const Index id = sweep.order[k];
    const Arm& arm = arms_[id];
    const bool inside = arm.a > 0.0 && arm.a < upper(arm);
    if (inside && std::abs(arm.a - position_[id]) >= far * arm.inverse) movers.push_back(id);
  }
  double total = 0.0, first = 0.0;
  Sweep again = sweep_over(movers);
  std::size_t visits = 0;  // together at most one pass
  for (std::size_t pass = 0; pass < kRevisits && again.count > 0 && visits < sweep.count; ++pass) {
    visits += again.count;
    run_pass(again);
    total += again.decrease;
    if (pass == 0) first = again.decrease;
    if (again.decrease <= kRevisitShare * first) break;
  }
  return total;
}

}  // namespace banditcd::svm
