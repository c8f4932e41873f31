// APPROX and NUACDM for one loss and one storage (see selectors/accelerated.py for the methods).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/accelerated.hpp"
#include "engine/descent_of.hpp"
#include "engine/sampling_tree.hpp"

namespace banditcd::engine {

// Two vectors p, q of coordinates with A p and A q: every iterate is a combination of the two, so
// a step touches one entry of each and one column of A.
template <class Loss, class Columns>
struct PairState {
  Matrix<Columns> A;
  Loss loss;
  std::vector<double> p, q, Ap, Aq;

  void start(const double* x) {
    p.assign(A.columns.cols, 0.0);
    q.assign(x, x + A.columns.cols);
    Ap.assign(A.columns.rows, 0.0);
    Aq.assign(A.columns.rows, 0.0);
    for (std::size_t i = 0; i < q.size(); ++i)
      if (q[i] != 0.0) A.columns.axpy(i, A.sign(i) * q[i], Aq.data());
  }
  // u_i at the point s p + t q.
  double correlation(std::size_t i, double s, double t) const {
    double sum = 0.0;
    A.columns.each(
        i, [&](std::size_t k, double a) { sum += a * loss.gradient(k, s * Ap[k] + t * Aq[k]); });
    return -A.sign(i) * sum;
  }
  void add(std::size_t i, double dp, double dq) {
    p[i] += dp;
    q[i] += dq;
    if (dp != 0.0) A.columns.axpy(i, A.sign(i) * dp, Ap.data());
    if (dq != 0.0) A.columns.axpy(i, A.sign(i) * dq, Aq.data());
  }
};

template <class Loss, class Columns>
class Approx final : public Accelerated {
 public:
  Approx(PairState<Loss, Columns> state, std::unique_ptr<Penalty> penalty, const double* h,
         const double* x0, double restart_epochs, Rng rng)
      : s_(std::move(state)), g_(std::move(penalty)), h_(h), rng_(rng) {
    period_ = static_cast<std::uint64_t>(
        std::nearbyint(restart_epochs * static_cast<double>(s_.A.columns.cols)));
    restart(x0);
  }
  std::size_t size() const override { return s_.q.size(); }
  // In exact arithmetic the sum lies in the domain; rounding may put it just outside.
  void point(double* x) const override {
    for (std::size_t i = 0; i < s_.q.size(); ++i) {
      const double sum = previous_ * previous_ * s_.p[i] + s_.q[i];
      x[i] = std::min(std::max(sum, g_->lower(i)), g_->upper(i));
    }
  }
  void step() override {
    const double d = static_cast<double>(s_.q.size());
    if (period_ > 0 && age_ == period_) {
      std::vector<double> x(s_.q.size());
      point(x.data());
      restart(x.data());
    }
    const double theta = theta_;
    const std::size_t i = rng_.integer(s_.q.size());
    const double u = s_.correlation(i, theta * theta, 1.0);
    const double target = g_->prox(i, s_.q[i], u, theta * d * h_[i]);
    const double t = target - s_.q[i];
    s_.add(i, -(1.0 - d * theta) / (theta * theta) * t, t);
    s_.q[i] = target;
    previous_ = theta;
    theta_ = 0.5 * (std::sqrt(theta * theta * theta * theta + 4.0 * theta * theta) - theta * theta);
    ++age_;
    entries_ += s_.A.columns.entries(i) * (t != 0.0 ? 4 : 2);
  }

 private:
  void restart(const double* x) {
    s_.start(x);
    theta_ = previous_ = 1.0 / static_cast<double>(s_.q.size());
    age_ = 0;
  }
  PairState<Loss, Columns> s_;
  std::unique_ptr<Penalty> g_;
  const double* h_;
  Rng rng_;
  double theta_ = 1.0, previous_ = 1.0;
  std::uint64_t period_ = 0, age_ = 0;
};

// y and z are M (p, q) with a 2 x 2 matrix M that takes up the dense part of every step. M tends to
// a matrix of rank one, so p and q are reset to y and z before that costs digits.
template <class Loss, class Columns>
class Nuacdm final : public Accelerated {
 public:
  Nuacdm(PairState<Loss, Columns> state, std::unique_ptr<Penalty> penalty, const double* h,
         const double* x0, Rng rng)
      : s_(std::move(state)), g_(std::move(penalty)), h_(h), rng_(rng) {
    const std::size_t d = s_.A.columns.cols;
    std::vector<double> roots(d);
    sigma_ = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < d; ++i) {
      roots[i] = std::sqrt(h_[i] + g_->mu(i));
      sigma_ = std::min(sigma_, g_->mu(i));
    }
    tree_.assign(roots);
    const double total = std::accumulate(roots.begin(), roots.end(), 0.0);
    total_ = total;
    tau_ = 2.0 / (1.0 + std::sqrt(4.0 * total * total / sigma_ + 1.0));
    eta_ = 1.0 / (tau_ * total * total);
    s_.start(x0);
    s_.p = s_.q;
    s_.Ap = s_.Aq;
  }
  std::size_t size() const override { return s_.q.size(); }
  void point(double* x) const override {
    for (std::size_t i = 0; i < s_.q.size(); ++i) x[i] = m_[0][0] * s_.p[i] + m_[0][1] * s_.q[i];
  }
  void step() override {
    const std::size_t i = tree_.draw(rng_.uniform());
    const double s = tau_ * m_[1][0] + (1.0 - tau_) * m_[0][0];  // x = s p + t q
    const double t = tau_ * m_[1][1] + (1.0 - tau_) * m_[0][1];
    double low, high;
    g_->subdifferential(i, s * s_.p[i] + t * s_.q[i], &low, &high);
    const double gradient = low - s_.correlation(i, s, t);
    const double shrink = 1.0 + eta_ * sigma_;
    const double z0 = (m_[1][0] + eta_ * sigma_ * s) / shrink;
    const double z1 = (m_[1][1] + eta_ * sigma_ * t) / shrink;
    m_[0][0] = s;
    m_[0][1] = t;
    m_[1][0] = z0;
    m_[1][1] = z1;
    const double dy = -gradient / (h_[i] + g_->mu(i));
    const double dz = -eta_ * total_ / tree_.get(i) * gradient / shrink;
    const double det = m_[0][0] * m_[1][1] - m_[0][1] * m_[1][0];
    s_.add(i, (m_[1][1] * dy - m_[0][1] * dz) / det, (m_[0][0] * dz - m_[1][0] * dy) / det);
    entries_ += 4 * s_.A.columns.entries(i);
    if (std::fabs(det) < kSmallestDeterminant) reset();
  }

 private:
  static constexpr double kSmallestDeterminant = 1e-4;
  static void mix(const double (&m)[2][2], std::vector<double>& p, std::vector<double>& q) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double y = m[0][0] * p[k] + m[0][1] * q[k];
      q[k] = m[1][0] * p[k] + m[1][1] * q[k];
      p[k] = y;
    }
  }
  void reset() {
    mix(m_, s_.p, s_.q);
    mix(m_, s_.Ap, s_.Aq);
    m_[0][0] = m_[1][1] = 1.0;
    m_[0][1] = m_[1][0] = 0.0;
  }
  PairState<Loss, Columns> s_;
  std::unique_ptr<Penalty> g_;
  const double* h_;
  Rng rng_;
  SamplingTree tree_;
  double sigma_, tau_, eta_, total_;
  double m_[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
};

}  // namespace banditcd::engine
