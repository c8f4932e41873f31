// The loops of the logistic kernels, written once: plain arithmetic that compilers vectorize for
// whatever instruction set the including file is built for. In an unnamed namespace for the reason
// given in vector_wide.hpp.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/logistic_math.hpp"

// GCC keeps a branch where a comparison could trap; nobody unmasks these traps, and the branch
// would keep the loops from being vectorized (four times slower with AVX2).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-trapping-math")
#endif

namespace banditcd {
namespace {

constexpr double kLargest = 708.0;  // exp(-x) is a normal number up to here
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
constexpr double kSmallChange = 1e-4;  // where (1 + x) log(1 + x) - x is summed as a series
constexpr double kTiny = 1e-6;
constexpr std::size_t kBlock = 512;  // rows whose intermediate values stay in the first-level cache
constexpr std::size_t kLanes = 8;

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

// (...(first x + c_1) x + ...) x + c_n.
template <class... Coefficients>
double polynomial(double x, double first, Coefficients... next) {
  ((first = muladd(first, x, next)), ...);
  return first;
}

// exp(-x) for x >= 0, held at exp(-kLargest) beyond it: x = -k ln 2 - r with |r| <= ln(2) / 2, a
// Taylor polynomial of degree 13 (remainder below 2^-57), and k added to the exponent.
inline double decaying_exp(double x) {
  constexpr double kInverseLn2 = 1.4426950408889634074;
  constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: its last bits are the integer
  x = x < kLargest ? x : kLargest;
  const double shifted = muladd(x, -kInverseLn2, kRound);
  const double k = shifted - kRound;
  const double r = muladd(k, -kLn2Low, muladd(k, -kLn2High, -x));
  const double p = polynomial(r, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0,
                              1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0,
                              1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0);
  return from_bits(to_bits(p) + (to_bits(shifted) << 52));  // p is in [0.7, 1.5] and k >= -1022
}

// log(1 + v) for v > -1: 1 + v = 2^k f with f in [sqrt(1/2), sqrt(2)), log f = 2 artanh(s). At
// v = -1 the value is finite.
inline double log_1p(double v) {
  const std::uint64_t bits = to_bits(1.0 + v);
  const std::uint64_t up = bits + 0x00095f6400000000ull;  // carries into the exponent above sqrt(2)
  const double k = from_bits((up >> 52) | 0x4330000000000000ull) - (4503599627370496.0 + 1023.0);
  const double f = from_bits(bits - ((up & 0xfff0000000000000ull) - 0x3ff0000000000000ull));
  const double top = k == 0.0 ? v : f - 1.0;  // 1 + v rounds; v itself does not
  const double s = top / (2.0 + top), s2 = s * s;
  // |s| < 0.172: what is left out is below 2^-55.
  const double p = polynomial(s2, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0,
                              1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0);
  return muladd(k, kLn2High, muladd(2.0 * s, s2 * p, k * kLn2Low) + 2.0 * s);
}

// share * ((1 + x) log(1 + x) - x) >= 0 for x = move / share >= -1, without cancellation and with
// `missing` added to the logarithm; 0 for an empty share. Relative entropy is a sum of two of them,
//   KL(q + move || q) = entropy_part(q, move) + entropy_part(1 - q, -move).
inline double entropy_part(double share, double move, double missing = 0.0) {
  const double x = move / (share > 0.0 ? share : 1.0);
  const double series = move * x * (0.5 - x * (1.0 / 6.0 - x * (1.0 / 12.0)));
  const double whole = (share + move) * (log_1p(x) + missing) - move;
  const double part = std::fabs(x) < kSmallChange ? series : whole;
  return share > 0.0 && part > 0.0 ? part : 0.0;
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

inline void loss_loop(const double* m, std::size_t n, double* q, double* loss) {
  for (std::size_t i = 0; i < n; ++i) {
    const double margin = m[i], t = decaying_exp(std::fabs(margin));
    q[i] = (margin >= 0.0 ? t : 1.0) / (1.0 + t);
    loss[i] = (margin >= 0.0 ? 0.0 : -margin) + log_1p(t);
  }
}

inline void probability_loop(const double* m, std::size_t n, double* q) {
  for (std::size_t i = 0; i < n; ++i) {
    const double margin = m[i], t = decaying_exp(std::fabs(margin));
    q[i] = (margin >= 0.0 ? t : 1.0) / (1.0 + t);
  }
}

inline LogisticTotals evaluate_loop(const Labels& labels, const double* z, double b,
                                    const CurvatureRule& rule, double* rho, double* h) {
  LogisticTotals out;
  const double floor = rule.floor, cautious = rule.cautious ? 0.5 : 0.0;
  double loss[kBlock], mistake[kBlock];
  for (std::size_t first = 0; first < labels.rows; first += kBlock) {
    const std::size_t n = labels.rows - first < kBlock ? labels.rows - first : kBlock;
    const double* y = labels.y + first;
    double* curvature = h + first;
    for (std::size_t i = 0; i < n; ++i) {
      const double m = y[i] * (z[first + i] + b);
      const double size = std::fabs(m);
      const double power = decaying_exp(size);
      const double t = size > kLargest ? 0.0 : power;
      const double small = t / (1.0 + t), large = 1.0 - small;
      mistake[i] = m >= 0.0 ? small : large;
      loss[i] = log_1p(t) + (m >= 0.0 ? 0.0 : size);
      const double product = small * large;
      const double bound = cautious * (large - small) / (size + kTiny);
      const double least = m >= 0.0 ? floor : (bound > floor ? bound : floor);
      curvature[i] = product > least ? product : least;
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

// KL(t q || q) = q E(t - 1) + (1 - q) E((1 - t) q / (1 - q)), E(x) = (1 + x) log(1 + x) - x: the
// first part is the same for every row but for q. q / (1 - q) = exp(-m); where that would overflow,
// what is missing is added to the logarithm.
inline double scaling_entropy_loop(const Labels& labels, const double* z, double b, double t) {
  const double rest = 1.0 - t, inside = entropy_part(1.0, -rest);
  double total = 0.0, term[kBlock];
  for (std::size_t first = 0; first < labels.rows; first += kBlock) {
    const std::size_t n = labels.rows - first < kBlock ? labels.rows - first : kBlock;
    for (std::size_t i = 0; i < n; ++i) {
      const double m = labels.y[first + i] * (z[first + i] + b);
      const double size = std::fabs(m), e = decaying_exp(size);
      const double over = -m - kLargest, missing = over > 0.0 ? over : 0.0;
      const double small = e / (1.0 + e), large = 1.0 - small;
      const double q = m >= 0.0 ? small : large, other = m >= 0.0 ? large : small;
      term[i] = q * inside + entropy_part(other, rest * q, missing);
    }
    if (labels.weight) scale(labels.weight + first, n, term);
    total += sum(term, n);
  }
  return total;
}

inline double relative_entropy_loop(const double* p, const double* q, const double* weight,
                                    std::size_t n) {
  double total = 0.0, term[kBlock];
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t count = n - first < kBlock ? n - first : kBlock;
    for (std::size_t i = 0; i < count; ++i) {
      const double at = q[first + i], move = p[first + i] - at;
      term[i] = entropy_part(at, move) + entropy_part(1.0 - at, -move);
    }
    if (weight) scale(weight + first, count, term);
    total += sum(term, count);
  }
  return total;
}

constexpr LogisticKernels kLogisticLoops = {loss_loop, probability_loop, evaluate_loop,
                                            scaling_entropy_loop, relative_entropy_loop};

}  // namespace
}  // namespace banditcd
