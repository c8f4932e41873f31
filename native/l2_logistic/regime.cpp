#include "l2_logistic/regime.hpp"

#include <algorithm>

#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

double bytes_of(std::size_t size) {
  return 8.0 * static_cast<double>(size) * static_cast<double>(size);
}

// The mean eigenvalue of the Hessian at zero, from some of the rows.
double mean_curvature(const Problem& problem) {
  const std::size_t rows = problem.rows(), least = std::min(rows, problem.cols());
  const std::size_t step = std::max<std::size_t>(1, rows / kCurvatureRows);
  return 0.25 * problem.weighted_squares(step) /
         static_cast<double>(std::max<std::size_t>(1, least));
}

// Whether the mean of s_i |x_i|^2 / lambda, from every step-th row, is at most this.
bool mean_square_within(const Problem& problem, double most, std::size_t step) {
  return problem.weighted_squares(step) <=
         most * problem.lambda * static_cast<double>(problem.rows());
}

bool dual_descent_applies(const Problem& problem) {
  return !problem.penalty_weight && problem.X->sparse() && problem.lambda > 0.0 &&
         2 * problem.cols() >= problem.rows() && mean_square_within(problem, kDualCurvature, 1);
}

// Wide rows that are nearly orthogonal are done by a few passes of dual descent, which gives up
// early if they are not.
bool dual_before_row_space(const Problem& problem) {
  return !problem.penalty_weight && problem.X->outer_cost() > kDualFirst * problem.X->pass_cost() &&
         4.0 * mean_curvature(problem) <= kWideCurvature * problem.lambda;
}

}  // namespace

bool row_space_applies(const Problem& problem) {
  const std::size_t rows = problem.rows();
  if (rows >= problem.cols() || bytes_of(rows) > kHessianBytes || !(problem.lambda > 0.0) ||
      problem.has_free_columns())
    return false;
  return problem.X->outer_cost() + kRowSpaceSteps * factor_cost(rows) <
         kRowSpacePasses * problem.X->pass_cost();
}

// A factored Hessian serves the steps after it too, and replaces the more products the weaker the
// penalty is.
Regime choose_regime(const Problem& problem) {
  if (row_space_applies(problem))
    return dual_before_row_space(problem) ? Regime::kDualDescent : Regime::kRowSpace;
  const double pass = problem.X->pass_cost();
  const double direct = problem.X->normal_cost() + factor_cost(problem.cols());
  const bool mild = direct >= kCgMild * pass && direct < kCgHarsh * pass &&
                    mean_curvature(problem) <= kMildCurvature * problem.lambda;
  if (bytes_of(problem.cols()) < kHessianBytes && direct < (mild ? kCgMild : kCgHarsh) * pass)
    return Regime::kNewton;
  return dual_descent_applies(problem) ? Regime::kDualDescent : Regime::kNewtonCg;
}

bool sampling_applies(const Problem& problem, Regime regime) {
  if (regime != Regime::kNewton && regime != Regime::kNewtonCg) return false;
  const std::size_t columns = std::max(problem.cols(), kSampleColumns);
  if (problem.rows() < kSampleStep * kSampleRowsPerColumn * columns) return false;
  return !problem.penalty_weight && mean_square_within(problem, kSampleCurvature, kSampleStep);
}

}  // namespace banditcd::l2_logistic
