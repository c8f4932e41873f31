#include "l2_logistic/newton_direction.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kPivot = 1e-13;      // relative size of a pivot that is no longer trusted
constexpr double kRoughPivot = 1e-5;  // the same if products are in single precision
// A Hessian that cannot be factored gets this share of its largest entry on the diagonal, and
// kJitterGrowth times more at every further attempt.
constexpr double kJitter = 1e-12, kJitterGrowth = 100.0;
constexpr int kAttempts = 8;
// Conjugate gradients end after kSpareProducts more products than columns: rounding has the word.
constexpr std::size_t kSpareProducts = 50;

double norm(const double* v, std::size_t size) { return std::sqrt(dot(v, v, size)); }

}  // namespace

NewtonDirection::NewtonDirection(const Problem& problem) : problem_(problem), hessian_(problem) {}

void NewtonDirection::begin(const Point& start, double target) {
  factored_ = false;
  target_ = target;
  first_gradient_ = norm(start.gradient.data(), start.gradient.size());
}

void NewtonDirection::find(const Point& point, DirectionBy method, double most, Passes& passes) {
  hessian_.update(point, passes);
  const std::vector<double>& mean = hessian_.mean();
  step_.resize(problem_.cols());
  unsolved_.assign(problem_.cols(), 0.0);
  for (std::size_t j = 0; j < step_.size(); ++j)
    step_[j] = problem_.excluded(j) ? 0.0 : mean[j] * point.gradient_b - point.gradient[j];
  if (method == DirectionBy::kConjugateGradients)
    by_conjugate_gradients(most, passes);
  else if (!by_old_factor(passes)) {
    if (factor(passes))
      cholesky_.solve(step_.data());
    else
      by_conjugate_gradients(kInfinity, passes);
  }
  step_b_ = 0.0;
  const double total = hessian_.total_curvature();
  if (problem_.intercept && total > 0.0)
    step_b_ = -point.gradient_b / total - dot(mean.data(), step_.data(), step_.size());
}

bool NewtonDirection::factor(Passes& passes) {
  double jitter = 0.0;
  bool rough = !rough_failed_ && problem_.X->rough_pays(problem_.intercept);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    hessian_.fill(cholesky_, rough, jitter, passes);
    passes.charge(problem_.X->normal_cost() + factor_cost(problem_.cols()));
    factored_ = cholesky_.factor(rough ? kRoughPivot : kPivot, passes.watch());
    if (factored_) return true;
    if (rough) {
      rough = false;
      rough_failed_ = true;
    } else {
      jitter = std::max(kJitter, kJitterGrowth * jitter);
    }
  }
  return false;
}

LinearSystem NewtonDirection::system(Passes& passes) const {
  LinearSystem system;
  system.size = step_.size();
  system.apply = [&](const double* v, double* out) { hessian_.apply(v, out, passes); };
  return system;
}

// False, and step_ as it was, if that takes more products than a new factor is worth.
bool NewtonDirection::by_old_factor(Passes& passes) {
  const double direct = problem_.X->normal_cost() + factor_cost(problem_.cols());
  const double worth = kOldFactor * direct / problem_.X->pass_cost();
  if (!factored_ || direct < kLeastCost || worth < kLeastWorth) return false;
  const std::size_t size = step_.size();
  LinearSystem system = this->system(passes);
  system.precondition = [&](const double* r, double* out) {
    std::copy_n(r, size, out);
    cholesky_.solve(out);
  };
  std::vector<double> residual(step_), step(size, 0.0);
  const double goal = std::max(kLeastShare * norm(residual.data(), size), proof());
  bool reached = false;
  conjugate_gradients(system, residual.data(), step.data(), [&](const Progress& at) {
    reached = norm(at.residual, size) <= goal && at.products > 0;
    return reached || static_cast<double>(at.products) >= worth;
  });
  if (!reached) return false;
  step_ = step;
  unsolved_ = residual;
  return true;
}

// A residual whose gap is a quarter of the target.
double NewtonDirection::proof() const { return 0.5 * std::sqrt(2.0 * problem_.lambda * target_); }

// Not less than a certificate needs; and as little as that if it is not far: what the linear system
// was not solved for is most of the gap of the dual point that a step predicts.
double NewtonDirection::residual_goal(double wanted, double most) const {
  if (wanted <= proof()) return std::min(most, proof());
  return wanted <= kProofReach * proof() ? proof() : wanted;
}

// To a relative residual that falls with the gradient (Dembo, Eisenstat and Steihaug 1982).
void NewtonDirection::by_conjugate_gradients(double most, Passes& passes) {
  const std::size_t size = step_.size();
  const double end = passes.work() + most;
  LinearSystem system = this->system(passes);
  system.inverse_diagonal = hessian_.inverse_diagonal(passes);
  unsolved_ = step_;
  std::fill(step_.begin(), step_.end(), 0.0);
  const double start = norm(unsolved_.data(), size);
  const double share = std::min(kMostShare, std::sqrt(start / std::max(first_gradient_, start)));
  const double goal = residual_goal(share * start, kMostShare * start);
  conjugate_gradients(system, unsolved_.data(), step_.data(), [&](const Progress& at) {
    return at.products >= size + kSpareProducts || norm(at.residual, size) <= goal ||
           (at.products > 0 && passes.work() > end);
  });
}

}  // namespace banditcd::l2_logistic
