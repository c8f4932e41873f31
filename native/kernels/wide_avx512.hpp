// Vectors of eight doubles, or of sixteen singles, by AVX-512. Included only by files built for it;
// in an unnamed namespace for the reason given in vector_wide.hpp.
#pragma once
#include "kernels/wide_avx2.hpp"

namespace banditcd {
namespace {

struct EightDoubles {
  using Vector = __m512d;
  using Singles = __m512;
  static constexpr std::size_t width = 8, registers = 32;
  using Half = FourDoubles<registers>;  // for what is left of a row of classes
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
  static void store_narrow(float* p, Vector v) { _mm256_storeu_ps(p, _mm512_cvtpd_ps(v)); }
  static constexpr bool masked_store = true;
  static void store_some(double* p, std::size_t count, Vector v) {
    _mm512_mask_storeu_pd(p, mask(count), v);
  }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm512_sub_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  static double sum(Vector v) { return _mm512_reduce_add_pd(v); }
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
  // out[c] = the sum of the lanes of v[c], for four vectors at once.
  static void sums(const Vector* v, double* out) {
    const __m256d halves[4] = {half(v[0]), half(v[1]), half(v[2]), half(v[3])};
    Half::sums(halves, out);
  }

  static Singles zero_singles() { return _mm512_setzero_ps(); }
  static Singles load_singles(const float* p) { return _mm512_loadu_ps(p); }
  static Singles fma(Singles a, Singles b, Singles c) { return _mm512_fmadd_ps(a, b, c); }
  // The same as for doubles, for eight vectors of sixteen.
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

 private:
  static __mmask8 mask(std::size_t count) { return static_cast<__mmask8>((1u << count) - 1u); }
  static __m256d half(Vector v) {
    return _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd(v, 1));
  }
};

}  // namespace
}  // namespace banditcd
