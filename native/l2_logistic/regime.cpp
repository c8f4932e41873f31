#include "l2_logistic/regime.hpp"

#include <algorithm>
#include <cmath>

#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

double bytes_of(std::size_t size) {
  return 8.0 * static_cast<double>(size) * static_cast<double>(size);
}

// The mean eigenvalue of the Hessian at zero, from some of the rows.
double mean_curvature(const Problem& problem) {
  const std::size_t rows = problem.rows(), least = std::min(rows, problem.cols());
  const std::size_t length = problem.X->entries() / std::max<std::size_t>(1, rows);
  const std::size_t most = kCurvatureEntries / std::max<std::size_t>(1, length);
  const std::size_t count = std::clamp(most, kCurvatureLeast, kCurvatureRows);
  const std::size_t step = std::max<std::size_t>(1, rows / count);
  return 0.25 * problem.weighted_squares(step) /
         static_cast<double>(std::max<std::size_t>(1, least));
}

// Whether the mean of s_i |x_i|^2 / lambda, from every step-th row, is at most this.
bool mean_square_within(const Problem& problem, double most, std::size_t step) {
  return problem.weighted_squares(step) <=
         most * problem.lambda * static_cast<double>(problem.rows());
}

// Passes until the gap is tol: more of them for a smaller one.
double passes_to(double tol, double at_default) {
  const double digits = std::clamp(-std::log10(tol), 1.0, 12.0);
  return at_default * (0.4 + 0.15 * digits);
}

// How many times the mean eigenvalue exceeds a mild one; 1 at least.
double harshness(const Problem& problem) {
  return std::max(1.0, mean_curvature(problem) / (kMildCurvature * problem.lambda));
}

// Conjugate gradients need passes with the root of the condition.
double newton_cg_work(const Problem& problem, double tol) {
  const double passes = std::min(kCgHarsh, kCgMild * std::sqrt(harshness(problem)));
  return passes_to(tol, passes) * problem.X->pass_cost();
}

// Steps share the factors of earlier ones; what they read beside is a little.
double newton_work(const Problem& problem) {
  if (bytes_of(problem.cols()) >= kHessianBytes) return kInfinity;
  return problem.X->normal_cost() + factor_cost(problem.cols()) +
         kNewtonPasses * problem.X->pass_cost();
}

double row_space_work(const Problem& problem) {
  const std::size_t rows = problem.rows();
  if (rows >= problem.cols()) return kInfinity;
  return problem.X->outer_cost() + factor_cost(rows) +
         kRowSpaceFactors * (product_cost(rows, rows) + factor_cost(rows)) +
         kRowSpacePasses * problem.X->pass_cost();
}

double dual_descent_work(const Problem& problem, double tol) {
  const bool wide = kDualShape * problem.cols() >= problem.rows(), mild = harshness(problem) <= 1.0;
  if (!wide && !mild) return kInfinity;
  const double crowd = static_cast<double>(problem.rows()) / static_cast<double>(problem.cols());
  // Sparse rows meet the less the more columns there are; dense ones always do.
  const double least = problem.X->sparse() ? kDualMild : kDualPasses;
  const double passes = !wide  ? kDualPasses
                        : mild ? kDualMild
                               : std::max(least, crowd * kDualPasses);
  return passes_to(tol, passes) * dual_pass_cost(problem, copy_pays(problem));
}

}  // namespace

bool copy_pays(const Problem& problem) {
  return !problem.X->single() && static_cast<double>(problem.X->entries()) >= kCopyEntries;
}

double dual_pass_cost(const Problem& problem, bool rounded) {
  const double entries = static_cast<double>(problem.rows()) * static_cast<double>(problem.cols());
  const bool dense = static_cast<double>(problem.X->entries()) >= entries;
  const double share = !rounded ? 1.0 : dense ? kRoundedDense : kRoundedShare;
  return share * problem.X->pass_cost() + kDualVisit * static_cast<double>(problem.rows());
}

bool applies(const Problem& problem, Regime regime) {
  const bool penalized = problem.lambda > 0.0 && !problem.has_free_columns();
  if (regime == Regime::kRowSpace) return penalized && bytes_of(problem.rows()) < kHessianBytes;
  if (regime == Regime::kDualDescent) return penalized && !problem.penalty_weight;
  return true;
}

double expected_work(const Problem& problem, Regime regime, double tol) {
  if (!applies(problem, regime)) return kInfinity;
  switch (regime) {
    case Regime::kNewton:
      return newton_work(problem);
    case Regime::kNewtonCg:
      return newton_cg_work(problem, tol);
    case Regime::kRowSpace:
      return row_space_work(problem);
    case Regime::kDualDescent:
      return dual_descent_work(problem, tol);
  }
  return kInfinity;
}

bool sampling_applies(const Problem& problem, Regime regime) {
  if (regime != Regime::kNewton && regime != Regime::kNewtonCg) return false;
  const std::size_t columns = std::max(problem.cols(), kSampleColumns);
  if (problem.rows() < kSampleStep * kSampleRowsPerColumn * columns) return false;
  return !problem.penalty_weight && mean_square_within(problem, kSampleCurvature, kSampleStep);
}

}  // namespace banditcd::l2_logistic
