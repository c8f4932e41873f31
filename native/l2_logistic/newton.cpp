// Damped Newton: the steps, and a search along the margins.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/logistic_math.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/solver.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kSlopeLeft = 0.2;     // a step is good enough if so much of the slope is left
constexpr std::size_t kSearches = 60;  // evaluations of one search
constexpr double kFarthest = 1e6;      // whole steps
constexpr std::size_t kPatience = 6;   // steps without a better gap

// Fast towards zero as long as nothing is known below.
double middle(double low, double high) { return low == 0.0 ? high / 8.0 : 0.5 * (low + high); }

}  // namespace

double L2Logistic::slope() const {
  return dot(gradient_.data(), step_.data(), cols()) + gradient_b_ * step_b_;
}

// The root of the slope along the margins old + tau (m - old), to kSlopeLeft of the first slope:
// Newton in one dimension, kept inside a bracket. quadratic = lambda step^T P step.
double L2Logistic::search_margins(double quadratic, double first_slope, double last_slope) const {
  double low = 0.0, high = last_slope > 0.0 ? 1.0 : kFarthest, tau = 1.0, here = last_slope;
  std::vector<double> at(rows()), q(rows());
  const double linear = penalty_slope_;
  for (std::size_t trial = 0; trial < kSearches; ++trial) {
    for (std::size_t i = 0; i < rows(); ++i)
      at[i] = old_margin_[i] + tau * (m_[i] - old_margin_[i]);
    logistic_kernels().probability(at.data(), rows(), q.data());
    double bend = quadratic;
    here = linear + tau * quadratic;
    for (std::size_t i = 0; i < rows(); ++i) {
      const double move = m_[i] - old_margin_[i], s = weight(i);
      here -= s * q[i] * move;
      bend += s * q[i] * (1.0 - q[i]) * move * move;
    }
    if (std::fabs(here) <= kSlopeLeft * std::fabs(first_slope)) break;
    (here > 0.0 ? high : low) = tau;
    double next = bend > 0.0 ? tau - here / bend : kFarthest;
    if (!(next > low && next < high)) next = high == kFarthest ? 4.0 * tau : middle(low, high);
    tau = std::min(next, 10.0 * tau);
  }
  return tau;
}

// Tries the whole step with one fused pass; only if too much of the slope is left, or the step went
// too far, the margins are searched, which needs no further product with X.
bool L2Logistic::line_search(Watch& watch) {
  const double first_slope = slope(), before = primal_;
  if (!(first_slope < 0.0)) return false;
  old_margin_ = m_;
  old_q_ = q_;
  penalty_slope_ = 0.0;
  double quadratic = 0.0;
  for (std::size_t j = 0; j < cols(); ++j) {
    if (excluded(j)) continue;
    penalty_slope_ += lambda_ * penalty(j) * w_[j] * step_[j];
    quadratic += lambda_ * penalty(j) * step_[j] * step_[j];
  }
  axpy(1.0, step_.data(), w_.data(), cols());
  b_ += step_b_;
  evaluate(watch);
  margins_exact_ = true;
  const double last_slope = slope();
  const bool lower = primal_ <= before + 1e-12 * std::fabs(before);
  double tau = 1.0;
  if (!lower || std::fabs(last_slope) > kSlopeLeft * std::fabs(first_slope)) {
    tau = search_margins(quadratic, first_slope, last_slope);
    move_along(tau, watch);
  }
  carry_pair(tau);
  return primal_ <= before + 1e-12 * std::fabs(before);
}

// From the whole step, already taken, to tau times it.
void L2Logistic::move_along(double tau, Watch& watch) {
  if (tau == 1.0) return;
  axpy(tau - 1.0, step_.data(), w_.data(), cols());
  b_ += (tau - 1.0) * step_b_;
  margins_exact_ = false;
  loss_ = gradient_b_ = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) m_[i] = old_margin_[i] + tau * (m_[i] - old_margin_[i]);
  logistic_kernels().loss(m_.data(), rows(), q_.data(), losses_.data());
  for (std::size_t i = 0; i < rows(); ++i) {
    losses_[i] *= weight(i);
    loss_ += losses_[i];
    losses_[i] = data_.y[i] * weight(i) * q_[i];
    gradient_b_ -= losses_[i];
  }
  data_.X->transposed_times(losses_.data(), gradient_.data(), watch);
  passes_ += 1.0;
  finish_gradient();
}

void L2Logistic::keep_certified(double gap, Report& report) {
  if (!(gap <= report.certificate.gap)) return;
  report.certificate.gap = gap;
  report.certificate.primal = primal_;
  certified_w_ = w_;
  certified_b_ = b_;
}

void L2Logistic::restore_certified(Report& report) {
  if (certified_w_.empty()) {
    report.certificate.primal = null_objective_;
    return;
  }
  w_ = certified_w_;
  b_ = certified_b_;
}

// Whatever is known without a further reading of X; the full certificate once it can succeed.
double L2Logistic::current_gap(double target, Watch& watch) {
  const double cheap = cheap_gap();
  const bool free = data_.intercept || has_free_columns();
  if (!free && margins_exact_) return cheap;
  if (cheap > target) return primal_;
  if (!margins_exact_) evaluate(watch), margins_exact_ = true;
  return certificate(watch);
}

// A start that is worse than zero is forgotten: its margins may be so large that nothing bends.
void L2Logistic::start(Watch& watch) {
  evaluate(watch);
  double zero = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) zero += weight(i) * std::log(2.0);
  if (!(primal_ <= zero)) {
    std::fill(w_.begin(), w_.end(), 0.0);
    b_ = 0.0;
    pair_given_ = false;
    evaluate(watch);
  }
  margins_exact_ = true;
  first_gradient_ = gradient_norm_;
  start_pair();
}

Status L2Logistic::newton(const Limits& limits, Report& report, Watch& watch) {
  std::size_t without_progress = 0;
  double best = std::numeric_limits<double>::infinity();
  Status status = Status::kStalled;
  start(watch);
  for (;; ++report.iterations) {
    keep_certified(current_gap(report.target, watch), report);
    if (report.certificate.gap > report.target && pair_hopeful(report.target)) {
      keep_certified(pair_certificate(watch), report);
      carried_ = report.certificate.gap <= report.target;
    }
    if (report.certificate.gap <= report.target) return Status::kConverged;
    without_progress = primal_ < best ? 0 : without_progress + 1;
    best = std::min(best, primal_);
    if (without_progress > kPatience) break;
    if (static_cast<double>(report.iterations) >= limits.max_iter) {
      status = Status::kMaxIter;
      break;
    }
    newton_direction(watch);
    if (!line_search(watch)) break;
  }
  restore_certified(report);
  if (data_.intercept || has_free_columns()) {
    evaluate(watch);
    keep_certified(certificate(watch), report);
    if (report.certificate.gap <= report.target) return Status::kConverged;
  }
  return status;
}

}  // namespace banditcd::l2_logistic
