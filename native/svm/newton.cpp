#include "svm/newton.hpp"

#include <cmath>

#include "kernels/vector.hpp"
#include "svm/segment.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

Newton::Newton(const Problem& problem, Steps steps)
    : problem_(problem),
      map_(problem),
      rows_(problem),
      sums_(problem),
      directions_(make_directions(problem, steps)),
      w_(problem.dim(), 0.0),
      a_(problem.size(), 0.0),
      g_(problem.dim(), 0.0),
      d_(problem.dim(), 0.0) {}

void Newton::start(const std::vector<double>& w, Watch& watch) {
  read_at(w, watch);
  map_.start_at_margins(rows_.margins());
  evaluate(watch);
}

void Newton::start_at_duals(const Pair& pair, double proximal, Watch& watch) {
  read_at(pair.w, watch);
  map_.start_at_duals(pair.a, proximal);
  if (pair.terms >= 0.0) {
    kept_gap_ = pair.terms + 0.5 * pair.drift * pair.drift;
    kept_w_ = pair.w;
  }
  evaluate(watch);
}

void Newton::read_at(const std::vector<double>& w, Watch& watch) {
  w_ = w;
  rows_.remember(w_);
  rows_.read_all(w_, watch);
}

Pair Newton::last_pair() {
  std::vector<double> w = weights();
  std::vector<double> duals = kept_is_better() ? map_.take_centers() : std::move(a_);
  return {std::move(w), std::move(duals), true, false, regime(), Bias::kKeep};
}

// Main loop: Newton steps until the gap is below its target.
Outcome Newton::run(Budget& budget, Watch& watch, Pace* pace) {
  double best = kInfinity;
  std::size_t idle = 0, steps = 0;
  for (;;) {
    // 1. The gradient and the gap of the pair; no row is read for them.
    gap_ = measure();
    if (gap_ <= budget.target && budget.wants_objective()) budget.lower_target(objective());
    if (gap_ <= budget.target) return Outcome::kConverged;
    idle = gap_ < kIdleStep * best ? 0 : idle + 1;
    best = std::min(best, gap_);
    if (idle > kIdleSteps) return Outcome::kStalled;
    const double read = problem_.rows->stored().entries_read();
    if (read > budget.entries) return Outcome::kBudget;
    if (pace != nullptr && pace->rival_yields(read, gap_)) return Outcome::kOvertaken;
    directions_->aim_at(budget.target, pace != nullptr ? pace->last_entry(budget) : budget.entries);
    ++budget.bins;
    watch.check();

    // 2. Squared hinge: after the first steps the Hessian is one in double.
    if (++steps > kRoughSteps) directions_->build_exactly(watch);

    // 3. Hinge: a proximal step ends when its own error is below the complementarity terms; one
    // that takes too long gets a smaller proximal weight, where every row has to be seen again.
    bool predicted = false;
    if (hinge() && gap_ - terms_ <= terms_) {
      next_center();
      predicted = predict(watch);
      evaluate(watch);
      measure();
      predicted = predicted && dot(g_.data(), d_.data(), d_.size()) < 0.0;
    } else if (hinge() && ++inner_steps_ > kProximalSteps) {
      map_.widen();
      inner_steps_ = 0;
      rows_.read_all(w_, watch);
      evaluate(watch);
      measure();
    }

    // 4. The direction, the rows that matter on its segment, and the best point on that.
    double t = predicted ? step_along(watch) : 0.0;
    if (t < kPredictedLeast) {
      if (!directions_->direction(map_.scale(), g_, d_, watch)) return Outcome::kStalled;
      t = step_along(watch);
    }
    if (t > 0.0) {
      move(t);
      evaluate(watch);
    } else if (hinge()) {
      inner_steps_ = kProximalSteps;  // no descent left at this proximal weight
    } else {
      return Outcome::kStalled;
    }
  }
}

// Dual variables, free rows and slacks of the live rows at their margins, and the sums over them.
void Newton::evaluate(Watch& watch) {
  for (const Index t : rows_.live()) {
    const double u = problem_.goal_of(t) - rows_.margin(t), a = map_.dual(t, u);
    if (a != a_[t]) {
      sums_.change(problem_.ids[t], a - a_[t]);
      a_[t] = a;
    }
    const bool is_free = map_.is_free(t, a, u);
    directions_->set(t, is_free);
    rows_.set_slack(t, is_free ? 0.0 : map_.slack(t, a, u));
  }
  sums_.update();
  directions_->update(watch);
}

// The gradient and the gap of the pair (w, a), the latter after balancing.
double Newton::measure() {
  const std::size_t penalized = problem_.penalized();
  double square = 0.0;
  for (std::size_t j = 0; j < g_.size(); ++j) {
    g_[j] = sums_.rest(j, j < penalized ? w_[j] : 0.0);
    if (j < penalized) square += 0.5 * g_[j] * g_[j];
  }
  terms_ = 0.0;
  if (hinge())
    for (const Index t : rows_.live())
      terms_ +=
          gap_term(Loss::kHinge, problem_.cost(t), a_[t], problem_.goal_of(t) - rows_.margin(t));
  return square + terms_ + (problem_.free_bias ? sums_.balancing_cost(w_, g_, a_) : 0.0);
}

// P(w) as the sum of the dual value and the gap, neither of them balanced: the rows that are not
// live have no part in the latter. Their margins are those of an earlier point.
double Newton::objective() const {
  double sum = terms_;
  for (std::size_t j = 0; j < g_.size(); ++j) {
    const bool is_free = j >= problem_.penalized();
    const double v = (is_free ? 0.0 : w_[j]) - g_[j];
    sum += is_free ? -w_[j] * v : 0.5 * (g_[j] * g_[j] - v * v);
  }
  for (std::size_t t = 0; t < a_.size(); ++t) {
    sum += a_[t] * problem_.goal_of(t);
    if (!hinge()) sum -= squared_conjugate(problem_.cost(t), a_[t]);
  }
  return sum;
}

// A proximal step is finished: its dual variables become the centers.
void Newton::next_center() {
  if (gap_ < kept_gap_) {
    kept_gap_ = gap_;
    kept_w_ = w_;
  }
  map_.next_center(a_);
  inner_steps_ = 0;
}

// The direction to where the free rows stay free, however far that takes their dual variables: the
// solution, once the free rows are those of the solution.
bool Newton::predict(Watch& watch) {
  Changes moved;
  std::vector<double> sum(problem_.dim(), 0.0);
  const auto add = [&] {
    problem_.rows->accumulate(moved.ids.data(), moved.amounts.data(), moved.size(), sum.data());
    moved.clear();
  };
  for (const Index t : rows_.live()) {
    if (!directions_->is_free(t)) continue;
    if (moved.full()) add();
    moved.push(problem_.ids[t],
               map_.scale() * problem_.cost(t) * (problem_.goal_of(t) - rows_.margin(t)));
  }
  add();
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = g_[j] - sum[j];
  return directions_->direction(map_.scale(), sum, d_, watch);
}

// Without free rows a free intercept has no curvature, and its step no length: beyond all kinks is
// far enough, and near enough for the search to come back from.
void Newton::limit_free_bias() {
  if (problem_.penalized() == problem_.dim()) return;
  double farthest = 1.0;
  for (const double margin : rows_.margins()) farthest = std::max(farthest, std::abs(margin));
  const double limit = kFarBias * farthest;
  d_.back() = std::clamp(d_.back(), -limit, limit);
}

// How far to go along the direction, whose segment decides which rows are live.
double Newton::step_along(Watch& watch) {
  limit_free_bias();
  rows_.choose(w_, d_, watch);
  return search();
}

double Newton::search() const {
  const double first = dot(g_.data(), d_.data(), d_.size());
  if (!(first < 0.0)) return 0.0;
  const std::size_t penalized = problem_.penalized();
  const Segment::Start start{dot(w_.data(), d_.data(), penalized) - sums_.product(d_),
                             dot(d_.data(), d_.data(), penalized)};
  return Segment(start, map_, rows_, a_).minimizer(first, directions_->flat_slope());
}

void Newton::move(double t) {
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * d_[j];
  rows_.move(t, w_);
}

}  // namespace banditcd::svm
