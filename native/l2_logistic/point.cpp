#include "l2_logistic/point.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/logistic_loops.hpp"
#include "kernels/logistic_math.hpp"
#include "kernels/vector.hpp"

namespace banditcd::l2_logistic {
namespace {

// Margins at which q, or 1 - q, has lost digits of its logarithm, which is about minus their size.
bool saturated(double margin) { return margin < -20.0 || margin > 700.0; }

// KL(p || q) there. The likely side has all its digits; the other one, of probability u, is
// far log(far / u) - far + u.
double saturated_entropy(double p, double q, double margin) {
  const bool wrong = margin < 0.0;
  const double size = std::fabs(margin), e = std::exp(-size), far = wrong ? 1.0 - p : p;
  const double likely = wrong ? entropy_part(q, p - q) : entropy_part(1.0 - q, q - p);
  const double log_u = -size - std::log1p(e);
  const double unlikely = far > 0.0 ? far * (std::log(far) - log_u) - far : 0.0;
  return likely + std::max(unlikely + e / (1.0 + e), 0.0);
}

}  // namespace

Point::Point(const Problem& problem)
    : w(problem.cols(), 0.0),
      margin(problem.rows()),
      q(problem.rows()),
      problem_(problem),
      terms_(problem.rows()) {}

void Point::set(const double* coef, double intercept) {
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = problem_.excluded(j) ? 0.0 : coef[j];
  b = problem_.intercept ? intercept : 0.0;
}

void Point::set_zero() {
  std::fill(w.begin(), w.end(), 0.0);
  b = 0.0;
}

bool Point::is_zero() const {
  return std::all_of(w.begin(), w.end(), [](double value) { return value == 0.0; });
}

void Point::evaluate(Passes& passes) {
  gradient.resize(w.size());
  read(q, gradient, passes);
  finish_gradient();
}

void Point::evaluate_beside(const std::vector<double>& p, std::vector<double>& out,
                            Passes& passes) {
  out.resize(w.size());
  read(p, out, passes);
  primal = loss + problem_.regularizer(w);
}

// p may be q, which is known before it is used.
void Point::read(const std::vector<double>& p, std::vector<double>& out, Passes& passes) {
  loss = gradient_b = 0.0;
  const LogisticKernels& kernel = logistic_kernels();
  const double* y = problem_.y;
  const auto map = [&](std::size_t first, std::size_t count, double* values) {
    for (std::size_t t = 0; t < count; ++t) margin[first + t] = y[first + t] * (values[t] + b);
    kernel.loss(margin.data() + first, count, q.data() + first, terms_.data() + first);
    for (std::size_t t = 0; t < count; ++t) {
      const double s = problem_.weight(first + t);
      values[t] = y[first + t] * s * p[first + t];
      loss += s * terms_[first + t];
      gradient_b -= values[t];
    }
  };
  passes.read(&RowMatrix::transform, w.data(), map, out.data());
  if (!problem_.intercept) gradient_b = 0.0;
  exact = true;
}

void Point::evaluate_margins(Passes& passes) {
  loss = 0.0;
  logistic_kernels().loss(margin.data(), margin.size(), q.data(), terms_.data());
  for (std::size_t i = 0; i < margin.size(); ++i) loss += problem_.weight(i) * terms_[i];
  find_gradient(passes);
  exact = false;
}

void Point::find_gradient(Passes& passes) {
  gradient_b = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    terms_[i] = problem_.y[i] * problem_.weight(i) * q[i];
    gradient_b -= terms_[i];
  }
  if (!problem_.intercept) gradient_b = 0.0;
  gradient.resize(w.size());
  passes.read(&RowMatrix::transposed_times, terms_.data(), gradient.data());
  finish_gradient();
}

// From X^T alpha to the gradient.
void Point::finish_gradient() {
  problem_.subtract_from_penalty(w, gradient);
  primal = loss + problem_.regularizer(w);
}

double Point::slope(const std::vector<double>& step, double step_b) const {
  return dot(gradient.data(), step.data(), step.size()) + gradient_b * step_b;
}

double Point::own_gap() const {
  const double sum = std::min(problem_.penalty_gap(gradient), primal);  // D(0) = 0
  if (gradient_b == 0.0) return sum;
  double curvature = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) curvature += problem_.weight(i) * q[i] * (1.0 - q[i]);
  return curvature > 0.0 ? std::min(primal, sum + 0.5 * gradient_b * gradient_b / curvature)
                         : primal;
}

double Point::entropy(const std::vector<double>& p) const {
  if (std::none_of(margin.begin(), margin.end(), saturated))
    return logistic_kernels().relative_entropy(p.data(), q.data(), problem_.sample_weight,
                                               p.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double move = p[i] - q[i];
    sum += problem_.weight(i) * (saturated(margin[i])
                                     ? saturated_entropy(p[i], q[i], margin[i])
                                     : entropy_part(q[i], move) + entropy_part(1.0 - q[i], -move));
  }
  return sum;
}

}  // namespace banditcd::l2_logistic
