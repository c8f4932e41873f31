// Columns of bits, and how many places pairs of them share: the Gram matrix of 0/1 columns.
#pragma once
#include <cstddef>
#include <cstdint>

namespace banditcd {

using Word = std::uint64_t;
constexpr std::size_t kWordBits = 64;
constexpr std::size_t kWordLane = 8;  // words per column are a multiple of this
constexpr std::size_t kBitTile = 4;

struct BitKernel {
  double cost;  // of a pair of words, in nanoseconds
  // out[j * kBitTile + i] = number of bits that a[i] and b[j] share.
  void (*shared)(const Word* const* a, const Word* const* b, std::size_t words, double* out);
};

extern const BitKernel portable_bits;
#ifdef BANDITCD_X86
extern const BitKernel avx2_bits;
extern const BitKernel avx512_bits;
#endif
// The kernel that belongs to the vector kernels in use (kernels/vector.hpp).
const BitKernel& bit_kernel();

// Number of bits of a word, as the file that includes this was built for.
namespace {
inline unsigned bits_of(Word w) {
#if defined(__GNUC__)
  return static_cast<unsigned>(__builtin_popcountll(w));
#else
  w -= (w >> 1) & 0x5555555555555555u;
  w = (w & 0x3333333333333333u) + ((w >> 2) & 0x3333333333333333u);
  w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<unsigned>((w * 0x0101010101010101u) >> 56);
#endif
}

// One pair of columns after the other, word by word.
inline void shared_by_words(const Word* const* a, const Word* const* b, std::size_t words,
                            double* out) {
  for (std::size_t j = 0; j < kBitTile; ++j)
    for (std::size_t i = 0; i < kBitTile; ++i) {
      std::size_t even = 0, odd = 0;
      for (std::size_t k = 0; k < words; k += 2) {
        even += bits_of(a[i][k] & b[j][k]);
        odd += bits_of(a[i][k + 1] & b[j][k + 1]);
      }
      out[j * kBitTile + i] = static_cast<double>(even + odd);
    }
}
}  // namespace

}  // namespace banditcd
