#include "l2_logistic/carried_dual.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/logistic_math.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kBalanced = 1e-9;     // what may be left of the intercept's constraint, relative
constexpr double kBalancedBy = 1e-13;  // and what balancing leaves
constexpr std::size_t kBalanceSteps = 20;
constexpr double kLeastCurvature = 1e-300;

double clipped(double p) { return std::min(std::max(p, 0.0), 1.0); }

}  // namespace

void CarriedDual::start_at(const Point& point) {
  p_ = point.q;
  mismatch_ = point.gradient;
}

void CarriedDual::start_at(const std::vector<double>& p) {
  p_ = p;
  mismatch_.assign(problem_.cols(), 0.0);
}

void CarriedDual::follow(const Point& point, const NewtonDirection& direction,
                         const LineSearch& search) {
  const double tau = search.tau();
  const std::vector<double>&old_q = search.old_q(), &old_margin = search.old_margin();
  for (std::size_t i = 0; i < p_.size(); ++i) {
    const double s = problem_.weight(i), bend = s > 0.0 ? direction.curvature()[i] / s : 0.0;
    p_[i] += tau * (old_q[i] - p_[i]) - bend * (point.margin[i] - old_margin[i]);
  }
  for (std::size_t j = 0; j < mismatch_.size(); ++j)
    mismatch_[j] -= tau * (mismatch_[j] + direction.unsolved()[j]);
}

bool CarriedDual::hopeful(const Point& point, double target) const {
  return estimate(point) <= target;
}

double CarriedDual::estimate(const Point& point) const {
  if (problem_.has_free_columns()) return kInfinity;
  double losses = 0.0;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    const double p = clipped(p_[i]), q = point.q[i], move = p - q;
    if (problem_.intercept && p != p_[i]) return kInfinity;  // the constraint would not hold
    const double curvature = std::max(q * (1.0 - q), p * (1.0 - p));
    if (move != 0.0)
      losses += 0.5 * problem_.weight(i) * move * move / std::max(curvature, kLeastCurvature);
  }
  const double carried = losses + problem_.penalty_gap(mismatch_);
  if (problem_.intercept || carried == 0.0) return carried;
  const double own = problem_.penalty_gap(point.gradient);
  return carried * own / (carried + own);
}

double CarriedDual::certify(Point& point, double target, Passes& passes) {
  if (!point.exact) point.evaluate(passes);
  std::vector<double> alpha(p_.size());
  double balance = 0.0, size = 0.0;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    p_[i] = clipped(p_[i]);
    alpha[i] = problem_.y[i] * problem_.weight(i) * p_[i];
    balance += alpha[i];
    size += problem_.weight(i) * point.q[i];
  }
  if (problem_.intercept && std::fabs(balance) > kBalanced * size) return kInfinity;
  passes.read(&RowMatrix::transposed_times, alpha.data(), mismatch_.data());
  problem_.subtract_from_penalty(point.w, mismatch_);
  const double gap = point.entropy(p_) + problem_.penalty_gap(mismatch_);
  if (problem_.intercept) return std::min(point.primal, gap + std::fabs(balance * point.b));
  return gap <= target ? gap : best_between(point);
}

double CarriedDual::certify_logits(const std::vector<double>& logits, Point& point, double target,
                                   Passes& passes) {
  if (!set_logits(logits)) return kInfinity;
  point.evaluate_beside(p_, mismatch_, passes);
  problem_.subtract_from_penalty(point.w, mismatch_);
  const double gap = point.entropy(p_) + problem_.penalty_gap(mismatch_);
  if (problem_.intercept) return std::min(point.primal, gap + std::fabs(balance() * point.b));
  if (gap <= target || gap > kHopeful * target) return std::min(point.primal, gap);
  point.find_gradient(passes);
  return best_between(point);
}

// p of the logits; with an intercept those of theta_i - y_i t, by Newton's method for the t that
// balances them. False: there is none in reach.
bool CarriedDual::set_logits(const std::vector<double>& logits) {
  std::vector<double> negated(logits.size());
  p_.resize(logits.size());
  double t = 0.0;
  for (std::size_t step = 0; step < kBalanceSteps; ++step) {
    double curvature = 0.0, size = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i) negated[i] = problem_.y[i] * t - logits[i];
    logistic_kernels().probability(negated.data(), p_.size(), p_.data());
    if (!problem_.intercept) return true;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      curvature += problem_.weight(i) * p_[i] * (1.0 - p_[i]);
      size += problem_.weight(i) * p_[i];
    }
    const double sum = balance();
    if (std::fabs(sum) <= kBalancedBy * size) return true;
    if (!(curvature > 0.0)) return false;
    t += sum / curvature;
  }
  return false;
}

// sum_i y_i s_i p_i
double CarriedDual::balance() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < p_.size(); ++i) sum += problem_.y[i] * problem_.weight(i) * p_[i];
  return sum;
}

// mismatch_ and the gradient are known. The gap at q + u (p - q) is about
// losses u^2 + |gradient - u (gradient - mismatch)|^2, with their product from the three squares.
double CarriedDual::best_between(const Point& point) {
  const double losses = point.entropy(p_), outer = problem_.penalty_gap(mismatch_);
  std::vector<double> both(mismatch_.size());
  for (std::size_t j = 0; j < both.size(); ++j) both[j] = point.gradient[j] - mismatch_[j];
  const double own = problem_.penalty_gap(point.gradient), between = problem_.penalty_gap(both);
  const double slope = 0.5 * (own + between - outer), bend = losses + between;
  const double u = bend > 0.0 ? clipped(slope / bend) : 0.0;
  for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = point.q[i] + u * (p_[i] - point.q[i]);
  for (std::size_t j = 0; j < both.size(); ++j) mismatch_[j] = point.gradient[j] - u * both[j];
  return std::min(point.primal, point.entropy(p_) + problem_.penalty_gap(mismatch_));
}

}  // namespace banditcd::l2_logistic
