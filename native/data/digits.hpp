// Runs of decimal digits, eight bytes at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace banditcd {

// Readers of digits may look this far beyond the byte they stop at.
constexpr std::size_t kReadAhead = 8;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline const char* scan_digits(const char* p, std::uint64_t* digits) {
  std::uint64_t sum = *digits;
  for (; is_digit(*p); ++p) sum = 10 * sum + static_cast<std::uint64_t>(*p - '0');
  *digits = sum;
  return p;
}
#else
inline unsigned lowest_set_bit(std::uint64_t x) {
#if defined(_MSC_VER) && !defined(__clang__)
  unsigned long i;
  _BitScanForward64(&i, x);
  return static_cast<unsigned>(i);
#else
  return static_cast<unsigned>(__builtin_ctzll(x));
#endif
}

// The number spelled by eight digits, one a byte (0 to 9), the first in the lowest byte: pairs,
// then fours and eights, by multiplications that work on all lanes at once (D. Lemire, "Number
// parsing at a gigabyte per second", Software: Practice and Experience 51, 2021).
inline std::uint64_t join_digits(std::uint64_t lanes) {
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  lanes = 10 * lanes + (lanes >> 8);
  const std::uint64_t high = (lanes & kPairs) * (100 + (std::uint64_t{1000000} << 32));
  const std::uint64_t low = ((lanes >> 16) & kPairs) * (1 + (std::uint64_t{10000} << 32));
  return (high + low) >> 32;
}

// Moves `p` over digits and appends them to `*digits` (modulo 2^64). Runs have unpredictable
// lengths, so that one branch-free step for up to seven digits beats a loop over bytes.
inline const char* scan_digits(const char* p, std::uint64_t* digits) {
  static constexpr std::uint64_t kPowers[] = {1,      10,      100,      1000,     10000,
                                              100000, 1000000, 10000000, 100000000};
  std::uint64_t lanes, others, sum = *digits;
  for (;; p += 8) {
    std::memcpy(&lanes, p, sizeof lanes);
    lanes ^= 0x3030303030303030;  // '0' to '9' become 0 to 9
    // The lowest high bit marks the first byte that is no digit; marks above it may be wrong.
    others = ((lanes + 0x7676767676767676) | lanes) & 0x8080808080808080;
    if (others != 0) break;
    sum = sum * kPowers[8] + join_digits(lanes);
  }
  const unsigned bits = lowest_set_bit(others) - 7;  // 8 * (number of digits), at most 56
  *digits = sum * kPowers[bits / 8] + join_digits((lanes << 8) << (56 - bits));
  return p + bits / 8;
}
#endif

}  // namespace banditcd
