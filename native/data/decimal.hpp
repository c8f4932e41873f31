// Correctly rounded decimal numbers: the same bits as a correctly rounded strtod, much faster on
// the short numbers of data files, and deaf to the locale.
#pragma once
#include <cfloat>
#include <cstdint>
#include <cstring>

#include "data/digits.hpp"

namespace banditcd {

// Integers up to this one, and powers of ten up to 10^22, are exact doubles.
constexpr std::uint64_t kExactInteger = std::uint64_t{1} << 53;
constexpr int kExactPower = 22;
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
constexpr bool kRoundsOnce = true;
#else
constexpr bool kRoundsOnce = false;  // excess precision rounds twice: leave it to read_any_decimal
#endif

// Without a branch: the signs of data are as hard to predict as coins.
inline double with_sign(double size, bool negative) {
  std::uint64_t bits;
  std::memcpy(&bits, &size, sizeof bits);
  bits |= static_cast<std::uint64_t>(negative) << 63;
  std::memcpy(&size, &bits, sizeof bits);
  return size;
}

// read_decimal for every number, with exponents and of any length.
const char* read_any_decimal(const char* text, double* value);

// Reads the number `[+-] digits [. digits] [e [+-] digits]` at `text` into `*value`; returns the
// byte after it, or null if there is none or it is too large for a double. `text` must go on with
// a byte that is no part of a number (here: the newline of the line) and kReadAhead readable bytes.
//
// The fast path here is that of W. D. Clinger, "How to read floating point numbers accurately"
// (PLDI 1990): the quotient of an exact integer and an exact power of ten is rounded once.
inline const char* read_decimal(const char* text, double* value) {
  const bool negative = *text == '-';
  const char* first = text + (negative || *text == '+');
  std::uint64_t digits = 0;
  const char* p = first + 1;
  if (*p == '.' && is_digit(*first))  // the common "0.1234", predictable where it occurs
    digits = static_cast<std::uint64_t>(*first - '0');
  else
    p = scan_digits(first, &digits);
  std::int64_t length = p - first, decimals = 0;
  if (*p == '.') {
    const char* fraction = p + 1;
    p = scan_digits(fraction, &digits);
    decimals = p - fraction;
    length += decimals;
  }
  const bool simple = length > 0 && length < 20 && digits <= kExactInteger && (*p | 0x20) != 'e';
  if (!kRoundsOnce || !simple) return read_any_decimal(text, value);
  double size = static_cast<double>(digits);
  if (decimals > 0) size /= kPowersOfTen[decimals];
  *value = with_sign(size, negative);
  return p;
}

}  // namespace banditcd
