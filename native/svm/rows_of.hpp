// What dense and sparse rows share, written once over their dot and axpy.
#pragma once
#include <algorithm>
#include <cmath>

#include "svm/rows.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define BANDITCD_PREFETCH(address) __builtin_prefetch(address)
#else
#define BANDITCD_PREFETCH(address) static_cast<void>(address)
#endif

namespace banditcd::svm {

// Storage has dot(i, v), axpy(i, t, v), entries(i), entries(), each(i, f), rows, cols.
template <class Storage>
class RowsOf : public Rows {
 public:
  RowsOf(const Storage& x, const double* y, double constant) : Rows(y, constant), x_(x) {}

  std::size_t count() const override { return x_.cols; }
  std::size_t features() const override { return x_.rows; }
  double entries() const override { return static_cast<double>(x_.entries()); }
  double entries(std::size_t i) const override { return static_cast<double>(x_.entries(i)); }

  void squares(double* out) override {
    for (std::size_t i = 0; i < x_.cols; ++i) out[i] = square(x_, i);
    entries_read_ += entries();
  }
  void margins(const Index* which, std::size_t count, const double* w, double* out,
               Watch& watch) override {
    const double last = bias_of(w);
    for (std::size_t t = 0; t < count; ++t) {
      const auto i = static_cast<std::size_t>(which[t]);
      out[t] = y_[i] * (x_.dot(i, w) + last);
      entries_read_ += static_cast<double>(x_.entries(i));
      if (t % kRowsPerCheck == kRowsPerCheck - 1) watch.check();
    }
  }
  void accumulate(const Index* which, const double* coef, std::size_t count, double* v) override {
    double last = 0.0;
    for (std::size_t t = 0; t < count; ++t) {
      const auto i = static_cast<std::size_t>(which[t]);
      const double step = coef[t] * y_[i];
      x_.axpy(i, step, v);
      last += step;
      entries_read_ += static_cast<double>(x_.entries(i));
    }
    if (constant_ != 0.0) v[x_.rows] += constant_ * last;
  }
  void add_squares(const Index* which, const double* weight, std::size_t count,
                   double* out) override {
    for (std::size_t t = 0; t < count; ++t) {
      const auto i = static_cast<std::size_t>(which[t]);
      x_.each(i, [&](std::size_t j, double a) { out[j] += weight[t] * a * a; });
      if (constant_ != 0.0) out[x_.rows] += weight[t] * constant_ * constant_;
      entries_read_ += static_cast<double>(x_.entries(i));
    }
  }
  void sweep(Sweep& s) override;

 protected:
  static constexpr std::size_t kRowsPerCheck = 8192;
  double bias_of(const double* w) const { return constant_ == 0.0 ? 0.0 : constant_ * w[x_.rows]; }
  // Asks for the first lines of a row that will be read soon.
  virtual void prefetch(std::size_t i) const = 0;

  Storage x_;
};

// Exact minimization of the dual along one coordinate after the other: a <- clip(a - G / h), G the
// gradient z.w - 1 + shift a (Hsieh et al., ICML 2008).
template <class Storage>
void RowsOf<Storage>::sweep(Sweep& s) {
  constexpr std::size_t ahead = 2;
  std::size_t kept = 0;
  double decrease = 0.0, steepest = 0.0, read = 0.0;
  double bias = constant_ == 0.0 ? 0.0 : s.w[x_.rows];
  for (std::size_t t = 0; t < s.count; ++t) {
    if (t + ahead < s.count) {
      prefetch(static_cast<std::size_t>(s.order[t + ahead]));
      BANDITCD_PREFETCH(s.arms + s.order[t + ahead]);
    }
    const auto i = static_cast<std::size_t>(s.order[t]);
    Arm& arm = s.arms[i];
    const double y = y_[i];
    read += static_cast<double>(x_.entries(i));
    const double gradient = y * (x_.dot(i, s.w) + constant_ * bias) - 1.0 + arm.shift * arm.a;
    const bool stuck = (arm.a <= 0.0 && gradient >= 0.0) || (arm.a >= arm.upper && gradient <= 0.0);
    if (stuck) {
      if (std::abs(gradient) <= s.drop) s.order[kept++] = static_cast<Index>(i);
      continue;
    }
    s.order[kept++] = static_cast<Index>(i);
    steepest = std::max(steepest, std::abs(gradient));
    const double a = std::clamp(arm.a - gradient / arm.curvature, 0.0, arm.upper);
    const double step = a - arm.a;
    if (step == 0.0) continue;
    decrease -= step * (gradient + 0.5 * arm.curvature * step);
    arm.a = a;
    x_.axpy(i, y * step, s.w);
    bias += y * step * s.bias_step;
    read += static_cast<double>(x_.entries(i));
  }
  if (constant_ != 0.0) s.w[x_.rows] = bias;
  s.count = kept;
  s.decrease = decrease;
  s.steepest = steepest;
  entries_read_ += read;
}

}  // namespace banditcd::svm
