// The vector kernels for AVX-512. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include <immintrin.h>

#include "kernels/vector.hpp"
#include "kernels/vector_wide.hpp"

namespace banditcd {
namespace {

struct Wide {
  using Vector = __m512d;
  static constexpr std::size_t width = 8;
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector broadcast(double t) { return _mm512_set1_pd(t); }
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static Vector load(const float* p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
  // The first count < width entries, zeros behind them; the rest of the memory is not touched.
  static Vector load_some(const double* p, std::size_t count) {
    return _mm512_maskz_loadu_pd(mask(count), p);
  }
  static Vector load_some(const float* p, std::size_t count) {
    return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(mask(count), p));
  }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static constexpr bool masked_store = true;
  static void store_some(double* p, std::size_t count, Vector v) {
    _mm512_mask_storeu_pd(p, mask(count), v);
  }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  static double sum(Vector v) { return _mm512_reduce_add_pd(v); }
  // out[c] = the sum of the lanes of v[c], for four vectors at once.
  static void sums(const Vector* v, double* out) {
    const __m256d low = _mm256_hadd_pd(half(v[0]), half(v[1]));
    const __m256d high = _mm256_hadd_pd(half(v[2]), half(v[3]));
    _mm256_storeu_pd(out, _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20),
                                        _mm256_permute2f128_pd(low, high, 0x31)));
  }

 private:
  static __mmask8 mask(std::size_t count) { return static_cast<__mmask8>((1u << count) - 1u); }
  static __m256d half(Vector v) {
    return _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd(v, 1));
  }
};

}  // namespace

const VectorKernels avx512_kernels = {
    "avx512",
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
