// The loops of the logistic kernels, in plain C++ that compilers vectorize.
//
// Included by one file per instruction set. Everything is in an unnamed namespace: a shared inline
// function could be merged by the linker with a copy that this CPU cannot run.
//
// exp and log1p are range reductions with polynomials, accurate to a few units in the last place:
// the loops have no calls and no branches.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "logistic/link.hpp"

// Without this GCC keeps the branches of the selections below, for the sake of exceptions that
// nobody looks at, and does not vectorize.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-trapping-math")
#endif

namespace banditcd::logistic {
namespace {

constexpr std::size_t kBlock = 512;  // rows whose intermediate values stay in the first-level cache
constexpr std::size_t kLanes = 8;
constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
constexpr double kMostNegative = -700.0;

inline double muladd(double a, double b, double c) {
#if defined(__FMA__)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

inline double from_bits(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline std::uint64_t to_bits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// exp(x) for x <= 0. Below kMostNegative it is exp(kMostNegative), about 1e-304.
inline double exp_negative(double x) {
  const double clipped = x < kMostNegative ? kMostNegative : x;
  const double shifted = muladd(clipped, 1.4426950408889634, kShift);
  const double k = shifted - kShift;
  const double r = muladd(k, -kLn2Low, muladd(k, -kLn2High, clipped));
  // Taylor's polynomial on |r| <= ln(2) / 2; the first term left out is below 2^-54.
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = muladd(p, r, 0.5);
  p = muladd(p, r, 1.0);
  p = muladd(p, r, 1.0);
  return p * from_bits((to_bits(shifted) + 1023) << 52);
}

// log(1 + v) for v >= 0: 1 + v = 2^k f with f in [sqrt(1/2), sqrt(2)), log f = 2 artanh(s).
inline double log1p_positive(double v) {
  const std::uint64_t bits = to_bits(1.0 + v);
  const std::uint64_t up = bits + 0x00095f6400000000ull;  // carries into the exponent above sqrt(2)
  const double k = from_bits((up >> 52) | 0x4330000000000000ull) - (4503599627370496.0 + 1023.0);
  const double f = from_bits(bits - ((up & 0xfff0000000000000ull) - 0x3ff0000000000000ull));
  const double top = k == 0.0 ? v : f - 1.0;  // 1 + v rounds; v itself does not
  const double s = top / (2.0 + top), s2 = s * s;
  double p = 1.0 / 23.0;
  p = p * s2 + 1.0 / 21.0;
  p = p * s2 + 1.0 / 19.0;
  p = p * s2 + 1.0 / 17.0;
  p = p * s2 + 1.0 / 15.0;
  p = p * s2 + 1.0 / 13.0;
  p = p * s2 + 1.0 / 11.0;
  p = p * s2 + 1.0 / 9.0;
  p = p * s2 + 1.0 / 7.0;
  p = p * s2 + 1.0 / 5.0;
  p = p * s2 + 1.0 / 3.0;
  return muladd(k, kLn2High, muladd(2.0 * s, s2 * p, k * kLn2Low) + 2.0 * s);
}

// Sums in lanes, so that the additions do not wait for each other.
inline double sum(const double* values, std::size_t n) {
  double lane[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t t = 0; t < kLanes; ++t) lane[t] += values[i + t];
  for (; i < n; ++i) lane[0] += values[i];
  return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

inline void scale(const double* weight, std::size_t n, double* values) {
  for (std::size_t i = 0; i < n; ++i) values[i] *= weight[i];
}

LinkTotals evaluate_loop(const Labels& labels, const double* z, double b, double floor, double* rho,
                         double* h) {
  LinkTotals out;
  double loss[kBlock], mistake[kBlock];
  for (std::size_t first = 0; first < labels.rows; first += kBlock) {
    const std::size_t n = labels.rows - first < kBlock ? labels.rows - first : kBlock;
    const double* y = labels.y + first;
    double* curvature = h + first;
    for (std::size_t i = 0; i < n; ++i) {
      const double m = y[i] * (z[first + i] + b);
      const double size = std::fabs(m);
      const double power = exp_negative(-size);
      const double e = size > -kMostNegative ? 0.0 : power;
      const double small = e / (1.0 + e), large = 1.0 - small;
      mistake[i] = m >= 0.0 ? small : large;
      loss[i] = log1p_positive(e) + (m >= 0.0 ? 0.0 : size);
      const double product = small * large;
      curvature[i] = product > floor ? product : floor;
    }
    if (labels.weight) {
      scale(labels.weight + first, n, loss);
      scale(labels.weight + first, n, mistake);
      scale(labels.weight + first, n, curvature);
    }
    for (std::size_t i = 0; i < n; ++i) rho[first + i] = y[i] * mistake[i];
    out.loss += sum(loss, n);
    out.mistakes += sum(mistake, n);
    out.curvature += sum(curvature, n);
    out.pull += sum(rho + first, n);
  }
  return out;
}

// KL(t q || q) = t q log t + (1 - t q) log1p((1 - t) q / (1 - q)), q / (1 - q) = exp(-m). Where
// exp(-m) would overflow, what it lacks is added to the logarithm, which can only be too much.
double divergence_loop(const Labels& labels, const double* z, double b, double t) {
  const double log_t = std::log(t), rest = 1.0 - t;
  double total = 0.0, term[kBlock];
  for (std::size_t first = 0; first < labels.rows; first += kBlock) {
    const std::size_t n = labels.rows - first < kBlock ? labels.rows - first : kBlock;
    for (std::size_t i = 0; i < n; ++i) {
      const double m = labels.y[first + i] * (z[first + i] + b);
      const double size = std::fabs(m);
      const double e = exp_negative(-size);
      const double over = -m + kMostNegative;
      const double beyond = over > 0.0 ? over : 0.0;
      const double small = e / (1.0 + e);
      const double large = 1.0 - small;
      const double q = m >= 0.0 ? small : large;
      const double inverse = 1.0 / e;
      const double ratio = m >= 0.0 ? e : inverse;
      const double p = t * q;
      const double value = p * log_t + (1.0 - p) * (log1p_positive(rest * ratio) + beyond);
      term[i] = value > 0.0 ? value : 0.0;
    }
    if (labels.weight) scale(labels.weight + first, n, term);
    total += sum(term, n);
  }
  return total;
}

}  // namespace
}  // namespace banditcd::logistic
