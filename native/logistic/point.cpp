#include "logistic/point.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::logistic {
namespace {

constexpr double kFloor = 1e-5;      // of the mean curvature
constexpr double kBalanced = 2e-16;  // of the sum of |rho|
constexpr int kInterceptSteps = 40;
constexpr int kHalvings = 40;

}  // namespace

void Point::start(const Labels& labels, bool intercept) {
  labels_ = labels;
  intercept_ = intercept;
  double positive = 0.0, negative = 0.0;
  for (std::size_t i = 0; i < labels.rows; ++i)
    (labels.y[i] > 0.0 ? positive : negative) += labels.weight ? labels.weight[i] : 1.0;
  total_weight_ = positive + negative;
  degenerate_ = total_weight_ == 0.0 || (intercept && (positive == 0.0 || negative == 0.0));
  Constant null{total_weight_ * loss_->at_zero(), 0.0};
  if (intercept && total_weight_ > 0.0) null = loss_->best_constant(positive, negative);
  null_loss_ = null.loss;
  for (State* state : {&now_, &trial_}) {
    state->z.assign(labels.rows, 0.0);
    state->pull.resize(labels.rows);
    state->curvature.resize(labels.rows);
  }
  now_.b = null.intercept;
  evaluate(now_);
  divergence_scale_ = 1.0;
  rule_.floor = degenerate_ ? 0.0 : floor();
  if (!degenerate_) settle_intercept();
  null_intercept_ = now_.b;
}

void Point::evaluate(State& state) {
  state.totals = loss_->evaluate(labels_, state.z.data(), state.b, rule_, state.pull.data(),
                                 state.curvature.data());
}

double Point::try_at(const std::vector<double>& z, double b) {
  std::copy(z.begin(), z.end(), trial_.z.begin());
  trial_.b = b;
  evaluate(trial_);
  return trial_.totals.loss;
}

void Point::accept() {
  std::swap(now_, trial_);
  divergence_scale_ = 1.0;
  rule_.floor = floor();
}

void Point::settle_intercept() {
  if (!intercept_) return;
  if (!rule_.cautious || !loss_->settles_plainly()) return find_intercept();
  set_cautious(false);
  find_intercept();
  set_cautious(true);
}

// Newton's method on a decreasing function of b, with halved steps where it would not shrink.
void Point::find_intercept() {
  for (int step = 0; step < kInterceptSteps; ++step) {
    const double pull = now_.totals.pull;
    if (!(std::abs(pull) > kBalanced * now_.totals.mistakes)) return;
    double move = pull / now_.totals.curvature;
    trial_.z = now_.z;
    bool better = false;
    for (int halving = 0; halving < kHalvings && !better; ++halving, move *= 0.5) {
      trial_.b = now_.b + move;
      if (trial_.b == now_.b) return;
      evaluate(trial_);
      better = std::abs(trial_.totals.pull) < std::abs(pull);
    }
    if (!better) return;
    accept();
  }
}

void Point::set_cautious(bool cautious) {
  if (cautious == rule_.cautious) return;
  rule_.cautious = cautious;
  evaluate(now_);
}

double Point::floor() const {
  return floor_factor_ * kFloor * now_.totals.curvature / total_weight_;
}

void Point::set_floor(double factor) {
  if (factor == floor_factor_) return;
  floor_factor_ = factor;
  rule_.floor = floor();
  evaluate(now_);
}

double Point::primal(const std::vector<Index>& columns, const Penalties& penalties) const {
  double sum = now_.totals.loss;
  for (const Index j : columns)
    if (coef_[j] != 0.0) sum += penalties.at(j).value(coef_[j]);
  return sum;
}

double Point::divergence(double t) const {
  if (t >= 1.0) return 0.0;
  if (t != divergence_scale_) {
    divergence_ = loss_->scaling_cost(labels_, now_.z.data(), now_.b, now_.totals.loss, t);
    divergence_scale_ = t;
  }
  return divergence_;
}

}  // namespace banditcd::logistic
