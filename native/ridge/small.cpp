// Ridge regression on few columns in one go: normal equations, refined by true residuals.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cholesky.hpp"
#include "kernels/vector.hpp"
#include "ridge/ridge.hpp"

namespace banditcd::ridge {
namespace {

// A pivot below this share of its diagonal entry is not trusted.
constexpr double kPivot = 1e-13;
// Coefficients are exact if strong convexity, |w - w*| <= |gradient| / lambda, proves their error
// to be at most this share of their norm.
constexpr double kProved = 1e-11;
// The same share of the error that the last two steps of a refinement let expect, which two steps
// show to contract by no more than kRate: the first may have missed the slowest direction.
constexpr double kEstimated = 1e-11, kRate = 1e-3;
constexpr int kSteps = 4;
// Squares of a gradient below this may have lost terms to underflow, and prove nothing.
constexpr double kSmallestSquare = 1e-280;

class SmallRidge {
 public:
  SmallRidge(const RidgeRows& rows, const double* y, double lambda, double enough)
      : rows_(rows),
        y_(y),
        lambda_(lambda),
        enough_(enough),
        n_(rows.X->rows()),
        p_(rows.X->cols()) {}

  SmallFit fit(double* w, Watch& watch) {
    start(watch);
    std::fill_n(w, p_, 0.0);
    factor_.resize(p_);
    rows_.X->normal_matrix(rows_.weight, rows_.mean, factor_.row(0), factor_.stride(), watch);
    for (std::size_t j = 0; j < p_; ++j) factor_.row(j)[j] += lambda_;
    if (!factor_.factor(kPivot, watch)) return out_;
    double last = 0.0;
    for (out_.steps = 1; out_.steps <= kSteps; ++out_.steps) {
      factor_.solve(gradient_.data());
      axpy(1.0, gradient_.data(), w, p_);
      const double size = std::sqrt(dot(gradient_.data(), gradient_.data(), p_));
      const double left = last > 0.0 ? size * std::clamp(size / last, kRate, 1.0) : size;
      last = size;
      evaluate(w, watch);
      const double square = dot(gradient_.data(), gradient_.data(), p_);
      const double norm = std::sqrt(dot(w, w, p_));
      out_.gap = std::min(square / (2.0 * lambda_), out_.primal);
      const bool proved = std::sqrt(square) <= kProved * lambda_ * norm;
      const bool exact = proved || left <= kEstimated * norm;
      out_.done = square > kSmallestSquare && (exact || out_.gap <= enough_ * out_.null);
      if (out_.done) break;
    }
    return out_;
  }

 private:
  // The best constant, its residual and the gradient there.
  void start(Watch& watch) {
    const double* s = rows_.weight;
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      total += s ? s[i] : 1.0;
      sum += (s ? s[i] : 1.0) * y_[i];
    }
    total_ = total;
    average_ = rows_.mean ? sum / total : 0.0;
    residual_.resize(n_);
    gradient_.resize(p_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double r = y_[i] - average_;
      residual_[i] = (s ? s[i] : 1.0) * r;
      out_.null += 0.5 * residual_[i] * r;
    }
    rows_.X->transposed_times(residual_.data(), gradient_.data(), watch);
  }

  // Loss and gradient at w with its best intercept.
  void evaluate(const double* w, Watch& watch) {
    out_.intercept = average_ - (rows_.mean ? dot(rows_.mean, w, p_) : 0.0);
    RidgePoint point;
    point.y = y_;
    point.w = w;
    point.b = out_.intercept;
    const RidgeSums sums = ridge_residual(rows_, point, residual_.data(), gradient_.data(), watch);
    double loss = sums.loss;
    if (rows_.mean) {
      const double shift = sums.excess / total_;
      out_.intercept += shift;
      axpy(-sums.excess, rows_.mean, gradient_.data(), p_);
      loss -= 0.5 * sums.excess * shift;
    }
    axpy(-lambda_, w, gradient_.data(), p_);
    double penalty = 0.0;
    for (std::size_t j = 0; j < p_; ++j) penalty += 0.5 * (lambda_ * w[j]) * w[j];
    out_.primal = loss + penalty;
  }

  const RidgeRows& rows_;
  const double* y_;
  const double lambda_, enough_;
  const std::size_t n_, p_;
  Cholesky factor_;
  std::vector<double> residual_, gradient_;
  double average_ = 0.0, total_ = 0.0;
  SmallFit out_;
};

}  // namespace

SmallFit small_ridge(const RidgeRows& rows, const double* y, double lambda, double enough,
                     double* w, Watch& watch) {
  return SmallRidge(rows, y, lambda, enough).fit(w, watch);
}

}  // namespace banditcd::ridge
