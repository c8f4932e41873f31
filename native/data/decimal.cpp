#include "data/decimal.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

#if !defined(__cpp_lib_to_chars)
#include <clocale>
#include <cstdlib>
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#endif

namespace banditcd {
namespace {

// What a scan of a number found; its size is digits * 10^exponent.
struct Decimal {
  const char* begin;     // after the sign
  const char* end;       // after the last byte of the number
  std::uint64_t digits;  // all digits as one integer; exact when digit_count <= 19
  std::int64_t digit_count;
  std::int64_t exponent;
};

// Moves `p` over an exponent's sign and digits; null if there are none. Saturates far outside the
// range of double, and far inside that of the integer.
const char* scan_exponent(const char* p, std::int64_t* exponent) {
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  if (!is_digit(*p)) return nullptr;
  std::int64_t sum = 0;
  for (; is_digit(*p); ++p)
    if (sum < 1000000000000000) sum = 10 * sum + (*p - '0');
  *exponent += negative ? -sum : sum;
  return p;
}

bool scan_decimal(const char* p, Decimal* number) {
  number->begin = p;
  number->digits = 0;
  number->exponent = 0;
  p = scan_digits(p, &number->digits);
  number->digit_count = p - number->begin;
  if (*p == '.') {
    const char* fraction = ++p;
    p = scan_digits(p, &number->digits);
    number->exponent = fraction - p;
    number->digit_count += p - fraction;
  }
  if (number->digit_count == 0) return false;
  if (*p == 'e' || *p == 'E') {
    p = scan_exponent(p + 1, &number->exponent);
    if (p == nullptr) return false;
  }
  number->end = p;
  return true;
}

#if defined(__SIZEOF_INT128__)
#define BANDITCD_HAS_INT128 1
__extension__ typedef unsigned __int128 Uint128;

int bit_length(Uint128 x) {
  const std::uint64_t high = static_cast<std::uint64_t>(x >> 64);
  const std::uint64_t low = static_cast<std::uint64_t>(x);
  return high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
}

// x * 2^exponent, plus something smaller than one unit of x if `more`, rounded to nearest even.
// Needs at least 54 bits in x if `more`, and a result in the normal range.
double round_binary(Uint128 x, int exponent, bool more) {
  int shift = bit_length(x) - 53;
  if (shift <= 0) {
    x <<= -shift;
    return round_binary(x << 1, exponent + shift - 1, false);
  }
  std::uint64_t mantissa = static_cast<std::uint64_t>(x >> shift);
  const Uint128 rest = x & ((Uint128{1} << shift) - 1);
  const Uint128 half = Uint128{1} << (shift - 1);
  if (rest > half || (rest == half && (more || (mantissa & 1) != 0))) ++mantissa;
  if (mantissa == std::uint64_t{1} << 53) {
    mantissa >>= 1;
    ++shift;
  }
  const std::uint64_t biased = static_cast<std::uint64_t>(exponent + shift + 52 + 1023);
  const std::uint64_t bits = (biased << 52) | (mantissa & ((std::uint64_t{1} << 52) - 1));
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

constexpr int kLargestPower = 27;  // 5^27 < 2^63: products and divisors stay within 128 bits

std::uint64_t power_of_five(int n) {
  std::uint64_t power = 1;
  while (n-- > 0) power *= 5;
  return power;
}

// digits * 10^exponent for |exponent| <= 27, by exact integer arithmetic: 10^k = 5^k 2^k.
double round_moderate(std::uint64_t digits, int exponent) {
  if (exponent >= 0)
    return round_binary(static_cast<Uint128>(digits) * power_of_five(exponent), exponent, false);
  const int shift = 64 + __builtin_clzll(digits);
  const Uint128 numerator = static_cast<Uint128>(digits) << shift;
  const std::uint64_t divisor = power_of_five(-exponent);
  const Uint128 quotient = numerator / divisor;  // at least 2^127 / 2^63: 65 bits
  return round_binary(quotient, exponent - shift, quotient * divisor != numerator);
}
#endif

#if defined(__cpp_lib_to_chars)
// std::from_chars leaves the value alone outside the range of double: decide by the position of
// the first nonzero digit whether the number is too large (infinite) or too small (zero).
double round_any(const Decimal& number) {
  double value = 0.0;
  const auto result = std::from_chars(number.begin, number.end, value);
  if (result.ec != std::errc::result_out_of_range) return value;
  std::int64_t significant = number.digit_count;
  for (const char* p = number.begin; *p == '0' || *p == '.'; ++p) significant -= *p == '0';
  const bool large = significant + number.exponent > 0;
  return large ? std::numeric_limits<double>::infinity() : 0.0;
}
#else
// Standard libraries without std::from_chars for double have strtod with an explicit locale.
double round_any(const Decimal& number) {
  static const locale_t kPlain = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
  const std::string text(number.begin, number.end);
  return strtod_l(text.c_str(), nullptr, kPlain);
}
#endif

double round_decimal(const Decimal& number) {
  if (number.digit_count > 19) return round_any(number);
  if (number.digits == 0) return 0.0;
  const std::int64_t power = number.exponent < 0 ? -number.exponent : number.exponent;
  if (kRoundsOnce && number.digits <= kExactInteger && power <= kExactPower) {
    const double digits = static_cast<double>(number.digits);
    return number.exponent < 0 ? digits / kPowersOfTen[power] : digits * kPowersOfTen[power];
  }
#if defined(BANDITCD_HAS_INT128)
  if (power <= kLargestPower)
    return round_moderate(number.digits, static_cast<int>(number.exponent));
#endif
  return round_any(number);
}

}  // namespace

const char* read_any_decimal(const char* text, double* value) {
  Decimal number;
  const bool negative = *text == '-';
  if (!scan_decimal(text + (negative || *text == '+'), &number)) return nullptr;
  const double size = round_decimal(number);
  *value = with_sign(size, negative);
  return size <= std::numeric_limits<double>::max() ? number.end : nullptr;
}

}  // namespace banditcd
