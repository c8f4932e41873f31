// A second dual point, carried from step to step.
//
// A Newton step solves  lambda P (w + step) = X^T (alpha - D X step),  alpha = y s q the dual point
// of w and D the curvature of the losses. So what the quadratic model predicts for the dual point
// at w + step belongs to w + step exactly, up to what is left of the linear system, and its gap is
// the model's error in the losses alone, sum_i s_i KL(p_i || q_i). The gap of q itself is the same
// error magnified by X X^T / lambda, which takes one or two steps more if lambda is small. After
// tau steps the point is (1 - tau) times the old one and tau times the predicted one. Predicted
// probabilities may leave [0, 1]; they are clipped, and X^T alpha is computed from the data.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/logistic_math.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/solver.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kBalanced = 1e-9;  // what may be left of the intercept's constraint, relative

double clipped(double p) { return std::min(std::max(p, 0.0), 1.0); }

}  // namespace

void L2Logistic::start_pair() {
  if (pair_given_) return;
  pair_ = q_;
  apart_ = gradient_;
}

void L2Logistic::carry_pair(double tau) {
  for (std::size_t i = 0; i < rows(); ++i) {
    const double s = weight(i), bend = s > 0.0 ? d_[i] / s : 0.0;
    pair_[i] += tau * (old_q_[i] - pair_[i]) - bend * (m_[i] - old_margin_[i]);
  }
  for (std::size_t j = 0; j < cols(); ++j) apart_[j] -= tau * (apart_[j] + left_[j]);
}

// sum_j v_j^2 / (2 lambda p_j)
double L2Logistic::penalty_gap(const std::vector<double>& v) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < cols(); ++j)
    if (!excluded(j)) sum += v[j] * v[j] / (2.0 * lambda_ * penalty(j));
  return sum;
}

// Whether the certificate's pass is likely to succeed; the losses to second order, from below.
bool L2Logistic::pair_hopeful(double target) const {
  if (has_free_columns()) return false;
  double losses = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) {
    const double p = clipped(pair_[i]), q = q_[i], move = p - q;
    if (data_.intercept && p != pair_[i]) return false;  // the constraint would not hold
    const double bend = std::max(q * (1.0 - q), p * (1.0 - p));
    if (move != 0.0) losses += 0.5 * weight(i) * move * move / std::max(bend, 1e-300);
  }
  const double pair = losses + penalty_gap(apart_), own = penalty_gap(gradient_);
  return (data_.intercept || pair == 0.0 ? pair : pair * own / (pair + own)) <= target;
}

double L2Logistic::entropy_gap() const {
  return logistic_kernels().relative_entropy(pair_.data(), q_.data(), data_.weight, rows());
}

// The gap of the best point between q and the clipped pair, which becomes the pair; with an
// intercept only the pair itself is feasible.
double L2Logistic::pair_certificate(Watch& watch) {
  if (!margins_exact_) evaluate(watch), margins_exact_ = true;
  std::vector<double> alpha(rows());
  double balance = 0.0, size = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) {
    pair_[i] = clipped(pair_[i]);
    alpha[i] = data_.y[i] * weight(i) * pair_[i];
    balance += alpha[i];
    size += weight(i) * q_[i];
  }
  if (data_.intercept && std::fabs(balance) > kBalanced * size) return kInfinite;
  data_.X->transposed_times(alpha.data(), apart_.data(), watch);
  passes_ += 1.0;
  finish_apart();
  const double losses = entropy_gap(), outer = penalty_gap(apart_);
  if (data_.intercept) return std::min(primal_, losses + outer + std::fabs(balance * b_));
  return losses + outer <= target_ ? losses + outer : best_between();
}

// The gap of w_ and the pair, from margins and X^T alpha of one reading of X; without an intercept.
double L2Logistic::evaluate_pair(Watch& watch) {
  loss_ = 0.0;
  data_.X->transform(
      w_.data(),
      [&](std::size_t first, std::size_t count, double* values) {
        for (std::size_t t = 0; t < count; ++t) m_[first + t] = data_.y[first + t] * values[t];
        logistic_kernels().loss(m_.data() + first, count, q_.data() + first,
                                losses_.data() + first);
        for (std::size_t t = 0; t < count; ++t) {
          loss_ += weight(first + t) * losses_[first + t];
          values[t] = data_.y[first + t] * weight(first + t) * pair_[first + t];
        }
      },
      apart_.data(), watch);
  passes_ += 1.0;
  margins_exact_ = true;
  finish_apart();
  primal_ = loss_ + regularizer(w_);
  return std::min(primal_, entropy_gap() + penalty_gap(apart_));
}

// From X^T alpha of the pair to lambda P w - X^T alpha.
void L2Logistic::finish_apart() {
  for (std::size_t j = 0; j < cols(); ++j)
    apart_[j] = excluded(j) ? 0.0 : lambda_ * penalty(j) * w_[j] - apart_[j];
}

// The best point between q and the pair, which it becomes; apart_ and gradient_ are known.
double L2Logistic::best_between() {
  const double losses = entropy_gap(), outer = penalty_gap(apart_);
  std::vector<double> both(cols());
  for (std::size_t j = 0; j < cols(); ++j) both[j] = gradient_[j] - apart_[j];
  const double own = penalty_gap(gradient_), between = penalty_gap(both);
  // losses u^2 + |gradient - u both|^2, with <gradient, both> from the three squares.
  const double slope = 0.5 * (own + between - outer), bend = losses + between;
  const double u = bend > 0.0 ? clipped(slope / bend) : 0.0;
  for (std::size_t i = 0; i < rows(); ++i) pair_[i] = q_[i] + u * (pair_[i] - q_[i]);
  for (std::size_t j = 0; j < cols(); ++j) apart_[j] = gradient_[j] - u * both[j];
  return std::min(primal_, entropy_gap() + penalty_gap(apart_));
}

}  // namespace banditcd::l2_logistic
