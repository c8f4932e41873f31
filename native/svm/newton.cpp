#include "svm/newton.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/vector.hpp"

namespace banditcd::svm {

constexpr double kFarBias = 1e3;  // steps of a free intercept, in margins

Newton::Newton(const Problem& problem) : problem_(problem) {
  const std::size_t n = problem.size(), dim = problem.dim();
  for (auto* by_row : {&margin_, &q_, &a_, &center_, &slack_, &norm_}) by_row->assign(n, 0.0);
  for (auto* by_column : {&w_, &g_, &d_, &v_[0], &v_[1]}) by_column->assign(dim, 0.0);
  for (std::size_t t = 0; t < n; ++t) norm_[t] = std::sqrt(problem.square[t]);
  is_free_.assign(n, 0);
  is_live_.assign(n, 0);
  seen_.assign(n, 0);
  ring_.resize(dim);
  hessian_.resize(dim);
}

void Newton::start(const double* w, const double* a, double proximal, Watch& watch) {
  const std::size_t n = problem_.size();
  kept_gap_ = kInfinity;
  proximal_ = proximal;
  if (w != nullptr) std::copy_n(w, problem_.dim(), w_.begin());
  now_ = ring_.remember(w_.data());
  hessian_.round(may_round());
  read_all(watch);
  for (std::size_t t = 0; t < n; ++t) center_[t] = a != nullptr ? a[t] : 0.5 * problem_.cost[t];
  if (a == nullptr && hinge()) {
    // A band around the margin that holds a tenth of the rows, and twice as many as features.
    std::vector<double> distance(n);
    for (std::size_t t = 0; t < n; ++t) distance[t] = std::abs(problem_.goal_of(t) - margin_[t]);
    const std::size_t rank = std::min(n - 1, std::max(n / 10, 2 * problem_.dim()));
    std::nth_element(distance.begin(), distance.begin() + static_cast<std::ptrdiff_t>(rank),
                     distance.end());
    // Strictly inside the box at that distance, so that the rows there are free.
    proximal_ = 0.45 / std::max(distance[rank], 1e-3);
  }
  evaluate(watch);
}

Outcome Newton::run(Budget& budget, Watch& watch) {
  double best = kInfinity;
  std::size_t idle = 0, steps = 0;
  for (;;) {
    gap_ = measure();
    if (gap_ <= budget.target) return Outcome::kConverged;
    idle = gap_ < 0.9 * best ? 0 : idle + 1;
    best = std::min(best, gap_);
    if (idle > 120) return Outcome::kStalled;
    if (problem_.rows->entries_read() > budget.entries) return Outcome::kBudget;
    ++budget.bins;
    watch.check();
    if (++steps > kRoughSteps) build_exactly(watch);
    if (hinge() && gap_ - terms_ <= terms_) {
      next_center();
      evaluate(watch);
      measure();
    } else if (hinge() && ++inner_steps_ > kProximalSteps) {
      widen();
      read_all(watch);
      evaluate(watch);
      measure();
    }
    if (!direction(watch)) return Outcome::kStalled;
    choose_live(watch);
    const double t = search();
    if (!(t > 0.0)) {
      if (!hinge()) return Outcome::kStalled;
      inner_steps_ = kProximalSteps;  // no descent left at this proximal weight
      continue;
    }
    move(t);
    evaluate(watch);
  }
}

double Newton::dual_at(std::size_t t, double margin) const {
  const double cost = problem_.cost[t], u = problem_.goal_of(t) - margin;
  if (!hinge()) return u > 0.0 ? 2.0 * cost * u : 0.0;
  return std::clamp(center_[t] + proximal_ * cost * u, 0.0, cost);
}

// Every row becomes live, with its margin read at w.
void Newton::read_all(Watch& watch) {
  live_.resize(problem_.size());
  std::iota(live_.begin(), live_.end(), 0);
  std::fill(is_live_.begin(), is_live_.end(), 1);
  if (std::all_of(w_.begin(), w_.end(), [](double x) { return x == 0.0; }))
    std::fill(margin_.begin(), margin_.end(), 0.0);
  else
    problem_.rows->margins(problem_.ids.data(), live_.size(), w_.data(), margin_.data(), watch);
}

// Dual variables, free rows and slacks of the live rows at their margins, and what follows.
void Newton::evaluate(Watch& watch) {
  for (auto* changes : {&changed_[0], &changed_[1], &entering_, &leaving_}) changes->clear();
  for (const Index t : live_) note_row(t);
  update_products(watch);
}

void Newton::note_row(Index t) {
  const Index id = problem_.ids[t];
  const double cost = problem_.cost[t], a = dual_at(t, margin_[t]);
  const double u = problem_.goal_of(t) - margin_[t];
  if (a != a_[t]) {
    const bool second = problem_.free_bias && problem_.rows->labels()[id] > 0.0;
    changed_[second].push(id, a - a_[t]);
    a_[t] = a;
  }
  const char is_free = hinge() ? (a > 0.0 && a < cost) : u > 0.0;
  if (is_free != is_free_[t]) {
    Changes& other = is_free ? leaving_ : entering_;
    // A sample that changes sides keeps its part of the Hessian.
    if (problem_.paired() && !other.ids.empty() && other.ids.back() == (id ^ 1))
      other.pop();
    else
      (is_free ? entering_ : leaving_).push(id, cost);
    is_free_[t] = is_free;
  }
  seen_[t] = now_;
  if (is_free) {
    slack_[t] = 0.0;
  } else if (!hinge()) {
    slack_[t] = -u;
  } else {
    const double width = 1.0 / proximal_, share = center_[t] / cost;
    slack_[t] = a <= 0.0 ? -u - share * width : u - (1.0 - share) * width;
  }
}

void Newton::update_products(Watch& watch) {
  Rows& rows = *problem_.rows;
  for (int side = 0; side < 2; ++side)
    rows.accumulate(changed_[side].ids.data(), changed_[side].amounts.data(),
                    changed_[side].ids.size(), v_[side].data());
  free_rows_ += entering_.ids.size();
  free_rows_ -= leaving_.ids.size();
  if (entering_.ids.size() + leaving_.ids.size() <= free_rows_) {
    hessian_.add(rows, entering_.ids, entering_.amounts, 1.0, watch);
    hessian_.add(rows, leaving_.ids, leaving_.amounts, -1.0, watch);
    return;
  }
  build_hessian(watch);
}

void Newton::build_hessian(Watch& watch) {
  hessian_.clear();
  entering_.clear();
  for (std::size_t t = 0; t < problem_.size(); ++t)
    if (is_free_[t]) entering_.push(problem_.ids[t], problem_.cost[t]);
  hessian_.add(*problem_.rows, entering_.ids, entering_.amounts, 1.0, watch);
}

// Single precision is enough for a direction that points the right way; the hinge needs more steps,
// and each of them a good one.
bool Newton::may_round() const {
  double largest = 0.0;
  for (std::size_t t = 0; t < problem_.size(); ++t)
    largest = std::max(largest, problem_.cost[t] * problem_.square[t]);
  return !hinge() && largest < kRoughMost;
}

void Newton::build_exactly(Watch& watch) {
  if (!hessian_.rough()) return;
  hessian_.round(false);
  build_hessian(watch);
}

// The gradient and the gap of the pair (w, a), the latter after balancing.
double Newton::measure() {
  const std::size_t penalized = problem_.penalized();
  double square = 0.0;
  for (std::size_t j = 0; j < g_.size(); ++j) {
    g_[j] = (j < penalized ? w_[j] : 0.0) - v_[0][j] - v_[1][j];
    if (j < penalized) square += 0.5 * g_[j] * g_[j];
  }
  terms_ = 0.0;
  if (hinge())
    for (const Index t : live_)
      terms_ += gap_term(Loss::kHinge, problem_.cost[t], a_[t], problem_.goal_of(t) - margin_[t]);
  return square + terms_ + (problem_.free_bias ? balancing_cost() : 0.0);
}

// What the gap gains when the heavier class is scaled by a factor f so that sum y a = 0: v moves by
// (1 - f) of the class, and the class loses (1 - f) sum a (1 - m) of the linear terms (hinge) or
// gains the square of it (squared hinge). No row is read: the sums are products with w.
double Newton::balancing_cost() const {
  const std::size_t last = problem_.dim() - 1;
  const double sums[2] = {-v_[0][last], v_[1][last]};  // sum of a in each class
  const int heavier = sums[1] > sums[0];
  if (sums[0] == sums[1]) return 0.0;
  const std::vector<double>& v = v_[heavier];
  const double rest = 1.0 - sums[!heavier] / sums[heavier];
  const double cross = dot(g_.data(), v.data(), last), own = dot(v.data(), v.data(), last);
  double reached = sums[heavier];  // sum of a times goal
  if (problem_.paired()) {
    reached = 0.0;
    for (std::size_t t = 0; t < a_.size(); ++t)
      if ((problem_.rows->labels()[problem_.ids[t]] > 0.0) == (heavier == 1))
        reached += a_[t] * problem_.goal[t];
  }
  const double linear = reached - dot(w_.data(), v.data(), last + 1);
  const double moved = rest * cross + 0.5 * rest * rest * own;
  return moved + (hinge() ? rest * linear : 0.5 * rest * rest * linear);
}

// A proximal step is finished: its dual variables become the centers.
void Newton::next_center() {
  if (gap_ < kept_gap_) {
    kept_gap_ = gap_;
    kept_w_ = w_;
  }
  center_ = a_;
  proximal_ *= kProximalGrowth;
  inner_steps_ = 0;
}

void Newton::widen() {
  proximal_ /= kProximalShrink;
  inner_steps_ = 0;
}

bool Newton::direction(Watch& watch) {
  if (!hessian_.factor(scale(), problem_.penalized(), watch)) {
    if (!hessian_.rough()) return false;
    build_exactly(watch);
    return direction(watch);
  }
  for (std::size_t j = 0; j < d_.size(); ++j) d_[j] = -g_[j];
  hessian_.solve(d_.data());
  limit_free_bias();
  return true;
}

// Without free rows a free intercept has no curvature, and its step no length: far beyond all kinks
// is far enough, and near enough for the search to come back from.
void Newton::limit_free_bias() {
  if (problem_.penalized() == problem_.dim()) return;
  double farthest = 1.0;
  for (const double margin : margin_) farthest = std::max(farthest, std::abs(margin));
  const double limit = kFarBias * farthest;
  d_.back() = std::clamp(d_.back(), -limit, limit);
}

}  // namespace banditcd::svm
