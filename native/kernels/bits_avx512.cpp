// Tiles of 4 x 4 pairs of columns for CPUs that count bits by wide vectors (AVX-512 VPOPCNTDQ).
// Called only after the CPU was asked.
#ifdef BANDITCD_X86
#include <immintrin.h>

#include "kernels/bits.hpp"

namespace banditcd {
namespace {

void shared_by_vectors(const Word* const* a, const Word* const* b, std::size_t words, double* out) {
  __m512i count[kBitTile][kBitTile];
  for (auto& row : count)
    for (auto& sum : row) sum = _mm512_setzero_si512();
  for (std::size_t k = 0; k < words; k += kWordLane) {
    __m512i right[kBitTile];
    for (std::size_t j = 0; j < kBitTile; ++j) right[j] = _mm512_loadu_si512(b[j] + k);
    for (std::size_t i = 0; i < kBitTile; ++i) {
      const __m512i left = _mm512_loadu_si512(a[i] + k);
      for (std::size_t j = 0; j < kBitTile; ++j)
        count[j][i] =
            _mm512_add_epi64(count[j][i], _mm512_popcnt_epi64(_mm512_and_si512(left, right[j])));
    }
  }
  for (std::size_t j = 0; j < kBitTile; ++j)
    for (std::size_t i = 0; i < kBitTile; ++i)
      out[j * kBitTile + i] = static_cast<double>(_mm512_reduce_add_epi64(count[j][i]));
}

}  // namespace

const BitKernel avx512_bits = {0.08, shared_by_vectors};

}  // namespace banditcd
#endif
