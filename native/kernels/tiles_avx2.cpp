// Tiles of 4 x 3 inner products for AVX2 and FMA. Called only after the CPU was asked.
#ifdef BANDITCD_X86
#include <immintrin.h>

#include "kernels/tiles.hpp"
#include "kernels/tiles_wide.hpp"

namespace banditcd {
namespace {

struct Wide {
  using Vector = __m256d;
  using Singles = __m256;
  static constexpr std::size_t width = 4;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector broadcast(double t) { return _mm256_set1_pd(t); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Singles zero_singles() { return _mm256_setzero_ps(); }
  static Singles load(const float* p) { return _mm256_loadu_ps(p); }
  static Singles fma(Singles a, Singles b, Singles c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static void store_narrow(float* p, Vector v) { _mm_storeu_ps(p, _mm256_cvtpd_ps(v)); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm256_sub_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  // Lane i of the result is the sum of the lanes of v[i].
  static Vector sums(const Vector* v) {
    const Vector low = _mm256_hadd_pd(v[0], v[1]), high = _mm256_hadd_pd(v[2], v[3]);
    return _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20),
                         _mm256_permute2f128_pd(low, high, 0x31));
  }
  static Vector sums(const Singles* v) {
    const Singles quad = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
    return _mm256_cvtps_pd(
        _mm_add_ps(_mm256_castps256_ps128(quad), _mm256_extractf128_ps(quad, 1)));
  }
};

}  // namespace

const TileKernel avx2_tile = {4,
                              3,
                              wide_tile<Wide, 3>,
                              wide_rough_tile<Wide, 3>,
                              wide_narrow<Wide>,
                              wide_residuals<Wide>,
                              wide_spread<Wide>,
                              wide_gather<Wide>};

}  // namespace banditcd
#endif
