// Setup, the fused evaluation and the choice of the regime.
#include "l2_logistic/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/logistic_math.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {

L2Logistic::L2Logistic(const LogisticData& data)
    : data_(data),
      w_(cols(), 0.0),
      step_(cols(), 0.0),
      gradient_(cols(), 0.0),
      mean_(cols(), 0.0),
      m_(rows()),
      q_(rows()),
      losses_(rows()),
      d_(rows()),
      old_margin_(rows()),
      left_(cols()) {
  find_null_objective();
}

// The best constant model, or the zero model.
void L2Logistic::find_null_objective() {
  double total = 0.0, positive = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) {
    total += weight(i);
    if (data_.y[i] > 0.0) positive += weight(i);
  }
  if (!data_.intercept) {
    null_objective_ = total * std::log(2.0);
    return;
  }
  const double negative = total - positive;
  null_objective_ = 0.0;
  if (positive > 0.0) null_objective_ -= positive * std::log(positive / total);
  if (negative > 0.0) null_objective_ -= negative * std::log(negative / total);
}

void L2Logistic::start_at(const double* coef, double intercept) {
  for (std::size_t j = 0; j < cols(); ++j) w_[j] = excluded(j) ? 0.0 : coef[j];
  b_ = data_.intercept ? intercept : 0.0;
}

// The mean eigenvalue of the Hessian at zero, from some of the rows.
double L2Logistic::mean_curvature() const {
  const std::size_t step = std::max<std::size_t>(1, rows() / 256);
  double square = 0.0;
  for (std::size_t i = 0; i < rows(); i += step) square += weight(i) * data_.X->row_square(i);
  const auto size = static_cast<double>(std::max<std::size_t>(1, std::min(rows(), cols())));
  return 0.25 * static_cast<double>(step) * square / size;
}

// A factored Hessian serves the steps after it too, and replaces the more products the weaker the
// penalty is.
Regime L2Logistic::choose() const {
  if (forced_ >= 0) return static_cast<Regime>(forced_);
  const double pass = data_.X->pass_cost();
  if (rowspace_applies()) return dual_before_rowspace() ? Regime::kDualDescent : Regime::kRowspace;
  const double direct = data_.X->normal_cost() + factor_cost(cols());
  const double bytes = 8.0 * static_cast<double>(cols()) * static_cast<double>(cols());
  const bool mild = direct >= kCgMild * pass && direct < kCgHarsh * pass &&
                    mean_curvature() <= kMildCurvature * lambda_;
  if (bytes < kHessianBytes && direct < (mild ? kCgMild : kCgHarsh) * pass) return Regime::kNewton;
  return dual_descent_applies() ? Regime::kDualDescent : Regime::kNewtonCg;
}

double L2Logistic::regularizer(const std::vector<double>& w) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < cols(); ++j)
    if (!excluded(j)) sum += penalty(j) * w[j] * w[j];
  return 0.5 * lambda_ * sum;
}

void L2Logistic::evaluate(Watch& watch) {
  loss_ = gradient_b_ = 0.0;
  const LogisticKernels& kernel = logistic_kernels();
  data_.X->transform(
      w_.data(),
      [&](std::size_t first, std::size_t count, double* values) {
        for (std::size_t t = 0; t < count; ++t)
          m_[first + t] = data_.y[first + t] * (values[t] + b_);
        kernel.loss(m_.data() + first, count, q_.data() + first, losses_.data() + first);
        for (std::size_t t = 0; t < count; ++t) {
          const double s = weight(first + t);
          values[t] = data_.y[first + t] * s * q_[first + t];
          loss_ += s * losses_[first + t];
          gradient_b_ -= values[t];
        }
      },
      gradient_.data(), watch);
  passes_ += 1.0;
  finish_gradient();
}

// From X^T alpha to the gradient.
void L2Logistic::finish_gradient() {
  for (std::size_t j = 0; j < cols(); ++j)
    gradient_[j] = excluded(j) ? 0.0 : lambda_ * penalty(j) * w_[j] - gradient_[j];
  if (!data_.intercept) gradient_b_ = 0.0;
  primal_ = loss_ + regularizer(w_);
  gradient_norm_ = std::sqrt(dot(gradient_.data(), gradient_.data(), cols()));
}

void L2Logistic::curvature() {
  total_curvature_ = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) {
    d_[i] = weight(i) * q_[i] * (1.0 - q_[i]);
    total_curvature_ += d_[i];
  }
}

// From zero, with enough rows for every column, and a penalty that keeps the sample's solution from
// fitting what only the sample shows.
bool L2Logistic::sampling_applies() const {
  if (regime_ == Regime::kDualDescent || regime_ == Regime::kRowspace) return false;
  if (rows() < kSampleStep * kSampleRowsPerColumn * std::max<std::size_t>(cols(), 8)) return false;
  if (data_.penalty || std::any_of(w_.begin(), w_.end(), [](double w) { return w != 0.0; }))
    return false;
  double square = 0.0;
  for (std::size_t i = 0; i < rows(); i += kSampleStep)
    square += static_cast<double>(kSampleStep) * weight(i) * data_.X->row_square(i);
  return square <= kSampleCurvature * lambda_ * static_cast<double>(rows());
}

void L2Logistic::start_from_sample(const Limits& limits, Watch& watch) {
  const std::unique_ptr<RowMatrix> X = data_.X->sample(kSampleStep);
  std::vector<double> y(X->rows()), s(X->rows());
  for (std::size_t i = 0; i < X->rows(); ++i) {
    y[i] = data_.y[i * kSampleStep];
    s[i] = weight(i * kSampleStep);
  }
  LogisticData data = data_;
  data.X = X.get();
  data.y = y.data();
  data.weight = s.data();
  L2Logistic small(data);
  small.force_regime(regime_);
  const double share = static_cast<double>(X->rows()) / static_cast<double>(rows());
  const Report report = small.solve(
      share * lambda_, watch.nested(std::max(limits.tol, kSampleTolerance), limits.max_iter));
  passes_ += share * report.passes;
  watch.check();
  start_at(small.coef().data(), small.intercept());
}

Report L2Logistic::solve(double lambda, const Limits& limits) {
  Watch watch(limits);
  Report report;
  lambda_ = lambda;
  passes_ = 0.0;
  free_known_ = factored_ = pair_given_ = carried_ = false;
  certified_w_.clear();
  regime_ = choose();
  report.target = target_ = limits.tol * null_objective_;
  try {
    if (sampling_applies()) start_from_sample(limits, watch);
    const bool done = regime_ == Regime::kDualDescent && dual_descent(limits, report, watch);
    if (!done && forced_ < 0 && rowspace_applies()) regime_ = Regime::kRowspace;
    if (regime_ == Regime::kRowspace) start_in_rowspace(limits, watch);
    report.status = done ? Status::kConverged : newton(limits, report, watch);
  } catch (const Stopped& stopped) {
    report.status = status_of(stopped);
    restore_certified(report);
  }
  // Only D(0) = 0 is known.
  if (report.status == Status::kStalled && report.certificate.gap >= report.certificate.primal)
    report.status = Status::kUncertified;
  report.regime = regime_name(regime_);
  report.intercept = b_;
  report.passes = passes_;
  report.pool_size = cols();
  report.support = static_cast<std::size_t>(
      std::count_if(w_.begin(), w_.end(), [](double w) { return w != 0.0; }));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace banditcd::l2_logistic
