// Descent for one loss and one storage: the only template of the engine.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/descent.hpp"
#include "engine/loss.hpp"
#include "engine/skipper.hpp"
#include "kernels/columns.hpp"

namespace banditcd::engine {

// A borrowed problem: columns a_i (times signs_i if given), loss, curvatures.
template <class Columns>
struct Matrix {
  Columns columns;
  const double* signs = nullptr;
  double sign(std::size_t i) const { return signs == nullptr ? 1.0 : signs[i]; }
};

template <class Loss, class Columns>
class DescentOf final : public Descent {
 public:
  DescentOf(Matrix<Columns> A, Loss loss, std::unique_ptr<Penalty> penalty, const double* h,
            RuleOptions options)
      : A_(A), loss_(loss), options_(options) {
    h_ = h;
    penalty_ = std::move(penalty);
    x_.assign(A_.columns.cols, 0.0);
    w_.assign(A_.columns.rows, 0.0);
    if (!Loss::is_quadratic) v_.assign(A_.columns.rows, 0.0);
    uniform_weight_ = Loss::is_quadratic && !w_.empty() &&
                      std::all_of(loss_.weight, loss_.weight + w_.size(),
                                  [&](double c) { return c == loss_.weight[0]; });
  }

  std::size_t column_entries(std::size_t i) const override { return A_.columns.entries(i); }
  std::size_t matrix_entries() const override { return A_.columns.entries(); }

  void set_state(const double* x) override {
    std::copy(x, x + x_.size(), x_.begin());
    std::vector<double> v(w_.size(), 0.0);
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (x_[i] != 0.0) A_.columns.axpy(i, A_.sign(i) * x_[i], v.data());
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] = loss_.gradient(k, v[k]);
    if (!Loss::is_quadratic) v_ = std::move(v);
    skipper_.forget();
  }

  double correlation(std::size_t i) override {
    entries_ += A_.columns.entries(i);
    return -A_.sign(i) * A_.columns.dot(i, w_.data());
  }

  void correlations(double* u) override {
    entries_ += A_.columns.entries();
    pass(w_.data(), u);
    for (std::size_t i = 0; i < x_.size(); ++i) u[i] *= -A_.sign(i);
  }

  bool is_quadratic() const override { return Loss::is_quadratic; }

  void gram_column(std::size_t i, double* out) override {
    entries_ += A_.columns.entries();
    std::vector<double> weighted(w_.size(), 0.0);
    A_.columns.each(
        i, [&](std::size_t k, double a) { weighted[k] = A_.sign(i) * a * loss_.weight[k]; });
    pass(weighted.data(), out);
    for (std::size_t j = 0; j < x_.size(); ++j) out[j] *= A_.sign(j);
  }

  double partial_correlation(std::size_t i, std::size_t first, std::size_t count) override {
    entries_ += count;
    const std::size_t all = A_.columns.entries(i);
    double sum = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
      const auto [k, a] = A_.columns.entry(i, (first + c) % all);
      sum += a * w_[k];
    }
    return -A_.sign(i) * sum;
  }

  void line(std::size_t i, double t, double* slope, double* bend) override {
    entries_ += A_.columns.entries(i);
    double first = 0.0, second = 0.0;
    const double s = A_.sign(i);
    A_.columns.each(i, [&](std::size_t k, double a) {
      a *= s;
      // Quadratic losses keep only w: f' at a displaced point follows from it.
      if constexpr (Loss::is_quadratic) {
        first += a * (w_[k] + loss_.weight[k] * t * a);
        second += a * a * loss_.weight[k];
      } else {
        first += a * loss_.gradient(k, v_[k] + t * a);
        second += a * a * loss_.second(k, v_[k] + t * a);
      }
    });
    *slope = first;
    *bend = second;
  }

  Step step(std::size_t i, Needs needs) override {
    if (options_.skip && skipper_.is_zero(*this, i)) {
      last_move_ = 0.0;
      last_correlation_ = std::numeric_limits<double>::quiet_NaN();
      return {0.0, 0.0};
    }
    const double x = x_[i], u = correlation(i);
    const double target = new_value(i, x, u);
    const double decrease = needs.decrease ? guaranteed_decrease(i, x, u, target) : 0.0;
    move(i, target, u);
    if (!needs.r_after || options_.minimizes) return {decrease, 0.0};
    return {decrease, penalty_->marginal_decrease(i, target, last_correlation_, h_[i])};
  }

  void move(std::size_t i, double target, double u) override {
    const double delta = target - x_[i];
    last_move_ = delta;
    last_correlation_ = u;
    if (delta == 0.0) return;
    ++moves_;
    entries_ += A_.columns.entries(i);
    x_[i] = target;
    if (options_.skip) skipper_.moved(i, delta, u, h_[i]);
    const double t = A_.sign(i) * delta;
    if constexpr (Loss::is_quadratic) {
      if (uniform_weight_)
        A_.columns.axpy(i, t * loss_.weight[0], w_.data());
      else
        A_.columns.each(i, [&](std::size_t k, double a) { w_[k] += t * a * loss_.weight[k]; });
      last_correlation_ = u - h_[i] * delta;
    } else {
      double after = 0.0;
      A_.columns.each(i, [&](std::size_t k, double a) {
        v_[k] += t * a;
        w_[k] = loss_.gradient(k, v_[k]);
        after += a * w_[k];
      });
      last_correlation_ = -A_.sign(i) * after;
    }
    if (moves_ % (kRebuildEpochs * x_.size()) == 0) {
      const std::vector<double> x = x_;
      set_state(x.data());
      entries_ += A_.columns.entries();
    }
  }

 private:
  // After this number of epochs of moves v and w are computed afresh: rounding does not pile up.
  static constexpr std::size_t kRebuildEpochs = 50;

  double new_value(std::size_t i, double x, double u) {
    switch (options_.rule) {
      case Rule::kReference:
        return reference_value(i, x, u);
      case Rule::kExact:
        return line_minimizer(i, x);
      case Rule::kSdcaLogistic: {
        // mu = 4 / N, so N h = 4 h / mu.
        const double residue = penalty_->residue(i, x, u).kappa;
        return x + residue / std::max(1.0, 0.25 + 4.0 * h_[i] / penalty_->mu(i));
      }
      case Rule::kProximal:
        break;
    }
    return penalty_->prox(i, x, u, h_[i]);
  }

  double reference_value(std::size_t i, double x, double u) const {
    double target = x + u / h_[i];
    if (!penalty_->is_free(i)) {
      const Residue at = penalty_->residue(i, x, u);
      target = x + reference_step(at, penalty_->mu(i), h_[i]).s * at.kappa;
    }
    // x + (bound - x) may miss the bound by rounding.
    return std::min(std::max(target, penalty_->lower(i)), penalty_->upper(i));
  }

  // updates/exact.py: proximal steps with the true curvature, inside a bracket.
  double line_minimizer(std::size_t i, double x) {
    double low = penalty_->lower(i), high = penalty_->upper(i), z = x, before = NAN;
    for (int k = 0; k < 200; ++k) {
      double slope, bend;
      line(i, z - x, &slope, &bend);
      const double safe = penalty_->prox(i, z, -slope, h_[i]);
      if (safe == z) return z;
      (safe > z ? low : high) = z;
      double next = penalty_->prox(i, z, -slope, std::max(bend, 1e-9 * h_[i]));
      if (!(next >= low && next <= high) || next == before)  // rounding sends it to and fro
        next = std::isfinite(low) && std::isfinite(high) ? 0.5 * (low + high) : safe;
      if (std::fabs(next - z) <= 1e-15 * std::max(std::fabs(next), std::fabs(z))) return next;
      before = z;
      z = next;
    }
    return z;
  }

  // The decrease of the quadratic model (the true one for quadratic f). A line search is at least
  // as good as the model's own minimizer.
  double guaranteed_decrease(std::size_t i, double x, double u, double target) const {
    if (!Loss::is_quadratic && options_.rule == Rule::kExact)
      target = penalty_->prox(i, x, u, h_[i]);
    const double move = target - x;
    if (move == 0.0) return 0.0;
    return u * move - 0.5 * h_[i] * move * move + penalty_->value(i, x) -
           penalty_->value(i, target);
  }

  // A^T w without signs; dense columns go four at a time.
  void pass(const double* w, double* out) const {
    const auto& columns = A_.columns;
    std::size_t i = 0;
    if constexpr (std::is_same_v<Columns, DenseColumns<typename Columns::Value>>) {
      for (; i + 4 <= columns.cols; i += 4) {
        const typename Columns::Value* four[4] = {columns.column(i), columns.column(i + 1),
                                                  columns.column(i + 2), columns.column(i + 3)};
        dot4(four, w, columns.rows, out + i);
      }
    }
    for (; i < columns.cols; ++i) out[i] = columns.dot(i, w);
  }

  Matrix<Columns> A_;
  Loss loss_;
  RuleOptions options_;
  Skipper skipper_;
  bool uniform_weight_ = false;
  std::vector<double> w_, v_;  // w = f'(v); v is kept only where w does not follow linearly
};

}  // namespace banditcd::engine
