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

// exp(-x) for x >= 0: x = k ln 2 - r with |r| <= ln(2) / 2, a Taylor polynomial of degree 13
// (remainder below 2^-57), and 2^-k written into the exponent.
inline double decaying_exp(double x) {
  constexpr double kLargest = 708.0, kInverseLn2 = 1.4426950408889634074;
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: its last bits are the integer
  x = x < kLargest ? x : kLargest;
  const double shifted = kRound - x * kInverseLn2;
  const double k = shifted - kRound;
  const double r = (-x - k * kLn2High) - k * kLn2Low;
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
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  std::uint64_t bits, power;
  std::memcpy(&bits, &shifted, sizeof bits);
  std::memcpy(&power, &p, sizeof power);
  power += bits << 52;  // adds k to the exponent; p is in [0.7, 1.5] and k >= -1022
  std::memcpy(&p, &power, sizeof p);
  return p;
}

// log(1 + t) for 0 <= t <= 1, as 2 atanh(z / (2 + z)) with 1 + t = 1 + z or 2 (1 + z).
inline double log1p_of_unit(double t) {
  constexpr double kLn2 = 0.69314718055994530942;
  const bool large = t > 0.41421356237309503;
  const double z = large ? 0.5 * (t - 1.0) : t;
  const double y = z / (2.0 + z), s = y * y;
  double p = 2.0 / 25.0;
  p = p * s + 2.0 / 23.0;
  p = p * s + 2.0 / 21.0;
  p = p * s + 2.0 / 19.0;
  p = p * s + 2.0 / 17.0;
  p = p * s + 2.0 / 15.0;
  p = p * s + 2.0 / 13.0;
  p = p * s + 2.0 / 11.0;
  p = p * s + 2.0 / 9.0;
  p = p * s + 2.0 / 7.0;
  p = p * s + 2.0 / 5.0;
  p = p * s + 2.0 / 3.0;
  p = p * s + 2.0;
  return (large ? kLn2 : 0.0) + y * p;
}

inline void logistic_loss_loop(const double* m, std::size_t n, double* q, double* loss) {
  for (std::size_t i = 0; i < n; ++i) {
    const double margin = m[i], t = decaying_exp(std::fabs(margin));
    q[i] = (margin >= 0.0 ? t : 1.0) / (1.0 + t);
    loss[i] = (margin >= 0.0 ? 0.0 : -margin) + log1p_of_unit(t);
  }
}

inline void logistic_probability_loop(const double* m, std::size_t n, double* q) {
  for (std::size_t i = 0; i < n; ++i) {
    const double margin = m[i], t = decaying_exp(std::fabs(margin));
    q[i] = (margin >= 0.0 ? t : 1.0) / (1.0 + t);
  }
}

}  // namespace
}  // namespace banditcd
