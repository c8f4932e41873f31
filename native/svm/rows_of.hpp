// Products and sweeps of stored rows, written once over the dot and axpy of a storage.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "svm/compressed.hpp"
#include "svm/stored_rows.hpp"

namespace banditcd::svm {

// One row of the data and, if they are compressed, the stretch of its entries.
struct Row {
  std::size_t i;
  std::int64_t begin, end;
};

template <class T>
double row_dot(const DenseColumns<T>& x, const Row& row, const double* w) {
  return x.dot(row.i, w);
}
template <class T>
void row_axpy(const DenseColumns<T>& x, const Row& row, double t, double* w) {
  x.axpy(row.i, t, w);
}
template <class T>
double row_axpy_dot(const DenseColumns<T>& x, const Row& moved, double t, const Row& row,
                    double* w) {
  return axpy_dot(t, x.column(moved.i), w, x.column(row.i), x.rows);
}
template <class T>
void row_prefetch(const DenseColumns<T>& x, const Row& row) {
  BANDITCD_PREFETCH(x.column(row.i));
}
template <class T>
Row locate(const DenseColumns<T>& x, std::size_t i, std::uint64_t) {
  return {i, 0, static_cast<std::int64_t>(x.rows)};
}

template <class Compressed>
double row_dot(const Compressed& x, const Row& row, const double* w) {
  return x.dot_of(row.begin, row.end, w);
}
template <class Compressed>
void row_axpy(const Compressed& x, const Row& row, double t, double* w) {
  x.axpy_of(row.begin, row.end, t, w);
}
template <class Compressed>
double row_axpy_dot(const Compressed& x, const Row& moved, double t, const Row& row, double* w) {
  row_axpy(x, moved, t, w);
  return row_dot(x, row, w);
}
template <class Compressed>
void row_prefetch(const Compressed& x, const Row& row) {
  x.prefetch(row.begin, row.end);
}
template <class Compressed>
Row locate(const Compressed& x, std::size_t i, std::uint64_t where) {
  const std::uint64_t length = Where::length(where);
  if (length == Where::kLongest) return {i, x.start[i], x.start[i + 1]};
  const auto begin = static_cast<std::int64_t>(Where::begin(where));
  return {i, begin, begin + static_cast<std::int64_t>(length)};
}

// Storage has dot(i, v), axpy(i, t, v), entries(i), entries(), each(i, f), rows, cols; a compressed
// one also dot_of and axpy_of a stretch of entries, and prefetch.
template <class Storage>
class RowsOf : public StoredRows {
 public:
  RowsOf(Storage x, const double* y, double constant, std::size_t pool_bytes)
      : StoredRows(y, constant, pool_bytes), x_(std::move(x)) {}

  std::size_t count() const override { return x_.cols; }
  std::size_t features() const override { return x_.rows; }
  double entries() const override { return static_cast<double>(x_.entries()); }

  void squares(double* out) override {
    for (std::size_t i = 0; i < x_.cols; ++i) out[i] = square(x_, i);
    this->count_entries(entries());
  }
  void margins(const Index* which, std::size_t count, const double* w, double* out,
               Watch& watch) override {
    const double last = bias_of(w);
    std::size_t read = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const auto i = static_cast<std::size_t>(which[t]);
      out[t] = label(i) * (x_.dot(i, w) + last);
      read += x_.entries(i);
      if (t % kRowsPerCheck == kRowsPerCheck - 1) watch.check();
    }
    this->count_entries(static_cast<double>(read));
  }
  void margins_and_sum(const Index* which, const double* coef, std::size_t count, const double* w,
                       double* out, double* v) override {
    const double last = bias_of(w);
    double sum = 0.0;
    std::size_t read = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const auto i = static_cast<std::size_t>(which[t]);
      out[t] = label(i) * (x_.dot(i, w) + last);
      read += x_.entries(i);
      if (coef[t] == 0.0) continue;
      x_.axpy(i, coef[t] * label(i), v);
      sum += coef[t] * label(i);
    }
    if (constant_ != 0.0) v[x_.rows] += constant_ * sum;
    this->count_entries(static_cast<double>(read));
  }
  void accumulate(const Index* which, const double* coef, std::size_t count, double* v) override {
    double last = 0.0;
    std::size_t read = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const auto i = static_cast<std::size_t>(which[t]);
      const double step = coef[t] * label(i);
      if (step == 0.0) continue;
      x_.axpy(i, step, v);
      last += step;
      read += x_.entries(i);
    }
    if (constant_ != 0.0) v[x_.rows] += constant_ * last;
    this->count_entries(static_cast<double>(read));
  }
  // Labels are squared away.
  void add_curvature(const Outer& rows, const double* v, double* out, Watch& watch) override {
    const double last = bias_of(v);
    double sum = 0.0;
    std::size_t read = 0;
    for (std::size_t t = 0; t < rows.count; ++t) {
      const auto i = static_cast<std::size_t>(rows.which[t]);
      const double step = rows.sign * rows.weight[t] * (x_.dot(i, v) + last);
      x_.axpy(i, step, out);
      sum += step;
      read += 2 * x_.entries(i);
      if (t % kRowsPerCheck == kRowsPerCheck - 1) watch.check();
    }
    watch.check();
    if (constant_ != 0.0) out[x_.rows] += constant_ * sum;
    this->count_entries(static_cast<double>(read));
  }
  void add_squares(const Outer& rows, double* out, Watch& watch) override {
    double sum = 0.0;
    std::size_t read = 0;
    for (std::size_t t = 0; t < rows.count; ++t) {
      const auto i = static_cast<std::size_t>(rows.which[t]);
      const double weight = rows.sign * rows.weight[t];
      x_.each(i, [&](std::size_t j, double value) { out[j] += weight * value * value; });
      sum += weight;
      read += x_.entries(i);
      if (t % kRowsPerCheck == kRowsPerCheck - 1) watch.check();
    }
    if (constant_ != 0.0) out[x_.rows] += constant_ * constant_ * sum;
    this->count_entries(static_cast<double>(read));
  }
  void sweep(Sweep& s) override { sweep_over(x_, s); }

 protected:
  static constexpr std::size_t kRowsPerCheck = 8192;
  double bias_of(const double* w) const { return constant_ == 0.0 ? 0.0 : constant_ * w[x_.rows]; }
  // The sweep over a storage of the same rows, which may be another one.
  template <class Read>
  void sweep_over(const Read& x, Sweep& s) {
    if (s.response != nullptr)
      s.boxed ? sweep_as<true, true>(x, s) : sweep_as<false, true>(x, s);
    else
      s.boxed ? sweep_as<true, false>(x, s) : sweep_as<false, false>(x, s);
  }
  Storage x_;

 private:
  template <bool boxed, bool paired, class Read>
  void sweep_as(const Read& x, Sweep& s);
};

// Main loop: exact minimization of the dual along one coordinate after the other: a <- clip(a - G /
// h), G the gradient z.w - 1 + shift a (Hsieh et al., ICML 2008). Of paired rows two are one stored
// row, and their goals take the place of 1.
template <class Storage>
template <bool boxed, bool paired, class Read>
void RowsOf<Storage>::sweep_as(const Read& x, Sweep& s) {
  constexpr std::size_t far = 8, near = 3;  // visits ahead: an arm is asked for, then its entries
  std::size_t kept = 0;
  std::int64_t read = 0;
  double decrease = 0.0, steepest = 0.0, bias = constant_ == 0.0 ? 0.0 : s.w[x.rows];
  // A step is added to w together with the next dot: w is read once for both, and the next row
  // comes from memory meanwhile.
  Row moved{0, 0, 0};
  double pending = 0.0;
  for (std::size_t t = 0; t < s.count; ++t) {
    if (t + far < s.count) BANDITCD_PREFETCH(s.arms + s.order[t + far]);
    if (t + near < s.count) {
      const auto next = static_cast<std::size_t>(s.order[t + near]);
      row_prefetch(x, locate(x, paired ? next / 2 : next, s.arms[next].where));
    }
    const auto i = static_cast<std::size_t>(s.order[t]);
    Arm& arm = s.arms[i];
    const Row row = locate(x, paired ? i / 2 : i, arm.where);
    const double y = Where::label(arm.where);
    // An empty row counts, too: its intercept moves, and budgets are made of what is counted.
    read += std::max<std::int64_t>(row.end - row.begin, 1);
    const double product =
        pending != 0.0 ? row_axpy_dot(x, moved, pending, row, s.w) : row_dot(x, row, s.w);
    pending = 0.0;
    double gradient =
        y * (product + constant_ * bias) - (paired ? y * s.response[row.i] - s.epsilon : 1.0);
    if (!boxed) gradient += arm.bound * arm.a;
    if (arm.stuck<boxed>(gradient)) {
      if (std::abs(gradient) <= s.drop) s.order[kept++] = static_cast<Index>(i);
      continue;
    }
    s.order[kept++] = static_cast<Index>(i);
    steepest = std::max(steepest, std::abs(gradient));
    const double a = arm.minimizer<boxed>(gradient), step = a - arm.a;
    if (step == 0.0) continue;
    moved = row;
    pending = y * step;
    decrease -= step * (gradient + 0.5 * step / arm.inverse);
    arm.a = a;
    bias += y * step * s.bias_step;
    read += row.end - row.begin;
  }
  if (pending != 0.0) row_axpy(x, moved, pending, s.w);
  if (constant_ != 0.0) s.w[x.rows] = bias;
  s.count = kept;
  s.decrease = decrease;
  s.steepest = steepest;
  this->count_entries(static_cast<double>(read));
}

}  // namespace banditcd::svm
