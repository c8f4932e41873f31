// The vector kernels for AVX2 and FMA. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include <immintrin.h>

#include "kernels/vector.hpp"
#include "kernels/vector_wide.hpp"

namespace banditcd {
namespace {

struct Wide {
  using Vector = __m256d;
  static constexpr std::size_t width = 4;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector broadcast(double t) { return _mm256_set1_pd(t); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Vector load(const float* p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
  // The first count < width entries, zeros behind them; the rest of the memory is not touched.
  static Vector load_some(const double* p, std::size_t count) {
    const __m256i wanted = _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(count)),
                                              _mm256_set_epi64x(3, 2, 1, 0));
    return _mm256_maskload_pd(p, wanted);
  }
  static Vector load_some(const float* p, std::size_t count) {
    const __m128i wanted =
        _mm_cmpgt_epi32(_mm_set1_epi32(static_cast<int>(count)), _mm_set_epi32(3, 2, 1, 0));
    return _mm256_cvtps_pd(_mm_maskload_ps(p, wanted));
  }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static constexpr bool masked_store = false;  // slow on some CPUs
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static double sum(Vector v) {
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
  }
  // out[c] = the sum of the lanes of v[c], for four vectors at once.
  static void sums(const Vector* v, double* out) {
    const Vector low = _mm256_hadd_pd(v[0], v[1]), high = _mm256_hadd_pd(v[2], v[3]);
    _mm256_storeu_pd(out, _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20),
                                        _mm256_permute2f128_pd(low, high, 0x31)));
  }
};

}  // namespace

const VectorKernels avx2_kernels = {
    "avx2",
    wide_dot<Wide, double>,
    wide_dot<Wide, float>,
    wide_axpy<Wide, double>,
    wide_axpy<Wide, float>,
    wide_axpy_dot<Wide, double>,
    wide_axpy_dot<Wide, float>,
    wide_axpy4<Wide, double>,
    wide_axpy4<Wide, float>,
    wide_dot4<Wide, double>,
    wide_dot4<Wide, float>,
    wide_moments4<Wide, double>,
    wide_moments4<Wide, float>,
};

}  // namespace banditcd
#endif
