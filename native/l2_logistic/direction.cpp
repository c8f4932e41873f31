// The direction of a Newton step: a factored Hessian, conjugate gradients on the Hessian with the
// factor of an earlier one as preconditioner, or with its diagonal.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/vector.hpp"
#include "l2_logistic/solver.hpp"
#include "l2_logistic/strategy.hpp"
#include "quadratic/conjugate_gradients.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kPivot = 1e-13;      // relative size of a pivot that is no longer trusted
constexpr double kRoughPivot = 1e-5;  // the same if products are in single precision
constexpr double kOldFactor = 0.7;    // of a new Hessian's cost, for products with an old factor
constexpr double kLeastShare = 0.02;  // of the gradient that is left by an old factor
constexpr double kLeastCost = 2e5;    // ns: small problems get exact steps
constexpr double kLeastWorth = 5.0;   // products: a Hessian that costs less is made anew

}  // namespace

// The mean that decouples the intercept: with x_i - mean, its Hessian entries vanish.
void L2Logistic::center_curvature(Watch& watch) {
  curvature();
  if (!data_.intercept || !(total_curvature_ > 0.0)) {
    std::fill(mean_.begin(), mean_.end(), 0.0);
    return;
  }
  data_.X->transposed_times(d_.data(), mean_.data(), watch);
  passes_ += 1.0;
  for (double& m : mean_) m /= total_curvature_;
}

bool L2Logistic::factor_hessian(Watch& watch) {
  double jitter = 0.0;
  const double* shift = data_.intercept ? mean_.data() : nullptr;
  bool rough = !rough_failed_ && data_.X->rough_pays(data_.intercept);
  for (int attempt = 0; attempt < 8; ++attempt) {
    cholesky_.resize(cols());
    if (rough)
      data_.X->rough_normal_matrix(d_.data(), shift, cholesky_.row(0), cholesky_.stride(), watch);
    else
      data_.X->normal_matrix(d_.data(), shift, cholesky_.row(0), cholesky_.stride(), watch);
    passes_ += 1.0;
    double largest = 0.0;
    for (std::size_t j = 0; j < cols(); ++j) {
      double* row = cholesky_.row(j);
      if (excluded(j)) std::fill(row, row + j, 0.0);
      for (std::size_t k = 0; data_.penalty && k < j; ++k)
        if (excluded(k)) row[k] = 0.0;
      row[j] = excluded(j) ? 1.0 : row[j] + lambda_ * penalty(j);
      largest = std::max(largest, row[j]);
    }
    // A column without entries and without penalty, and pivots eaten by rounding.
    for (std::size_t j = 0; j < cols(); ++j) {
      double& pivot = cholesky_.row(j)[j];
      pivot += jitter * largest;
      if (pivot == 0.0) pivot = 1.0;
    }
    factored_ = cholesky_.factor(rough ? kRoughPivot : kPivot, watch);
    if (factored_) return true;
    if (rough) {
      rough = false;
      rough_failed_ = true;
      continue;
    }
    jitter = std::max(1e-12, 100.0 * jitter);
  }
  return false;
}

void L2Logistic::newton_direction(Watch& watch) {
  center_curvature(watch);
  std::fill(left_.begin(), left_.end(), 0.0);
  for (std::size_t j = 0; j < cols(); ++j)
    step_[j] = excluded(j) ? 0.0 : mean_[j] * gradient_b_ - gradient_[j];
  if (regime_ != Regime::kNewton)
    cg_direction(watch);
  else if (!old_factor_direction(watch)) {
    if (factor_hessian(watch))
      cholesky_.solve(step_.data());
    else
      cg_direction(watch);
  }
  step_b_ = 0.0;
  if (data_.intercept && total_curvature_ > 0.0)
    step_b_ = -gradient_b_ / total_curvature_ - dot(mean_.data(), step_.data(), cols());
}

// Products with the Hessian at the current curvature, X centered by mean_.
LinearSystem L2Logistic::hessian(Watch& watch) const {
  LinearSystem system;
  system.size = cols();
  system.apply = [&](const double* v, double* out) {
    const double center = dot(mean_.data(), v, cols());
    double sum = 0.0;
    data_.X->transform(
        v,
        [&](std::size_t first, std::size_t count, double* values) {
          for (std::size_t t = 0; t < count; ++t)
            sum += values[t] = d_[first + t] * (values[t] - center);
        },
        out, watch);
    for (std::size_t j = 0; j < cols(); ++j)
      out[j] = excluded(j) ? 0.0 : out[j] - sum * mean_[j] + lambda_ * penalty(j) * v[j];
  };
  return system;
}

// The curvature of the rows changes little from step to step, so the last factor is a good
// preconditioner. False, and step_ as it was, if it needs more products than a new one is worth.
bool L2Logistic::old_factor_direction(Watch& watch) {
  const double pass =
      static_cast<double>(data_.X->entries()) * (data_.X->sparse() ? kSparsePass : kDensePass);
  const double direct = data_.X->normal_cost() + factor_cost(cols());
  const double worth = kOldFactor * direct / pass;
  if (!factored_ || direct < kLeastCost || worth < kLeastWorth) return false;
  LinearSystem system = hessian(watch);
  system.precondition = [&](const double* r, double* out) {
    std::copy_n(r, cols(), out);
    cholesky_.solve(out);
  };
  std::vector<double> residual(step_), step(cols(), 0.0);
  const double start = std::sqrt(dot(residual.data(), residual.data(), cols()));
  const double goal = std::max(kLeastShare * start, 0.5 * std::sqrt(2.0 * lambda_ * target_));
  bool reached = false;
  const std::size_t products =
      conjugate_gradients(system, residual.data(), step.data(), [&](const Progress& at) {
        reached = std::sqrt(dot(at.residual, at.residual, cols())) <= goal && at.products > 0;
        return reached || static_cast<double>(at.products) >= worth;
      });
  passes_ += static_cast<double>(products);
  if (!reached) return false;
  step_ = step;
  left_ = residual;
  return true;
}

// Solves to a relative residual that falls with the gradient (Dembo, Eisenstat and Steihaug 1982).
void L2Logistic::cg_direction(Watch& watch) {
  LinearSystem system = hessian(watch);
  system.inverse_diagonal.resize(cols());
  data_.X->squares(d_.data(), system.inverse_diagonal.data(), watch);
  passes_ += 1.0;
  for (std::size_t j = 0; j < cols(); ++j) {
    double& entry = system.inverse_diagonal[j];
    entry = std::max(entry - total_curvature_ * mean_[j] * mean_[j], 0.0) + lambda_ * penalty(j);
    entry = excluded(j) || !(entry > 0.0) ? 0.0 : 1.0 / entry;
  }
  std::vector<double> residual(step_);
  std::fill(step_.begin(), step_.end(), 0.0);
  const double start = std::sqrt(dot(residual.data(), residual.data(), cols()));
  const double share = std::min(0.25, std::sqrt(start / std::max(first_gradient_, start)));
  const std::size_t products =
      conjugate_gradients(system, residual.data(), step_.data(), [&](const Progress& at) {
        return at.products >= cols() + 50 ||
               std::sqrt(dot(at.residual, at.residual, cols())) <= share * start;
      });
  passes_ += static_cast<double>(products);
  left_ = residual;
}

}  // namespace banditcd::l2_logistic
