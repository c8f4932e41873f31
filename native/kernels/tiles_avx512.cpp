// Tiles of 8 x 3 inner products for AVX-512. Called only after the CPU was asked.
#ifdef BANDITCD_X86
#include <immintrin.h>

#include "kernels/tiles.hpp"
#include "kernels/tiles_wide.hpp"

namespace banditcd {
namespace {

struct Wide {
  using Vector = __m512d;
  using Singles = __m512;
  static constexpr std::size_t width = 8;
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector broadcast(double t) { return _mm512_set1_pd(t); }
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static Singles zero_singles() { return _mm512_setzero_ps(); }
  static Singles load(const float* p) { return _mm512_loadu_ps(p); }
  static Singles fma(Singles a, Singles b, Singles c) { return _mm512_fmadd_ps(a, b, c); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static void store_narrow(float* p, Vector v) { _mm256_storeu_ps(p, _mm512_cvtpd_ps(v)); }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm512_sub_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  // Lane i of the result is the sum of the lanes of v[i]: three rounds of pairwise exchange.
  static Vector sums(const Vector* v) {
    Vector pair[4], quad[2];
    for (int i = 0; i < 4; ++i)
      pair[i] = _mm512_add_pd(_mm512_unpacklo_pd(v[2 * i], v[2 * i + 1]),
                              _mm512_unpackhi_pd(v[2 * i], v[2 * i + 1]));
    for (int i = 0; i < 2; ++i)
      quad[i] = _mm512_add_pd(_mm512_shuffle_f64x2(pair[2 * i], pair[2 * i + 1], 0x88),
                              _mm512_shuffle_f64x2(pair[2 * i], pair[2 * i + 1], 0xDD));
    // quad[0] = (pair0: 0+1, 2+3; pair1: 0+1, 2+3) in 128-bit lanes; quad[1] likewise.
    return _mm512_add_pd(_mm512_shuffle_f64x2(quad[0], quad[1], 0x88),
                         _mm512_shuffle_f64x2(quad[0], quad[1], 0xDD));
  }
  // The same for eight vectors of sixteen.
  static Vector sums(const Singles* v) {
    Singles half[4], pair[2];
    for (int i = 0; i < 4; ++i)
      half[i] = _mm512_add_ps(_mm512_shuffle_f32x4(v[i], v[i + 4], 0x44),
                              _mm512_shuffle_f32x4(v[i], v[i + 4], 0xEE));
    for (int i = 0; i < 2; ++i)
      pair[i] = _mm512_add_ps(_mm512_unpacklo_ps(half[2 * i], half[2 * i + 1]),
                              _mm512_unpackhi_ps(half[2 * i], half[2 * i + 1]));
    const Vector a = _mm512_castps_pd(pair[0]), b = _mm512_castps_pd(pair[1]);
    const Singles quad = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)),
                                       _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
    // 128-bit lanes 0 and 1 are parts of the sums of v[0 .. 4), 2 and 3 those of v[4 .. 8).
    return _mm512_cvtps_pd(_mm512_castps512_ps256(_mm512_add_ps(
        _mm512_shuffle_f32x4(quad, quad, 0x08), _mm512_shuffle_f32x4(quad, quad, 0x0D))));
  }
};

}  // namespace

const TileKernel avx512_tile = {8,
                                3,
                                wide_tile<Wide, 3>,
                                wide_rough_tile<Wide, 3>,
                                wide_narrow<Wide>,
                                wide_residuals<Wide>,
                                wide_spread<Wide>,
                                wide_gather<Wide>};

}  // namespace banditcd
#endif
