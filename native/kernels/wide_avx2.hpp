// Vectors of four doubles, or of eight singles, by AVX2 and FMA. Included only by files built for
// them; in an unnamed namespace for the reason given in vector_wide.hpp.
#pragma once
#include <immintrin.h>

#include <cstddef>

namespace banditcd {
namespace {

template <std::size_t kRegisters>
struct FourDoubles {
  using Vector = __m256d;
  using Singles = __m256;
  using Half = FourDoubles;
  static constexpr std::size_t width = 4, registers = kRegisters;
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
  static void store_narrow(float* p, Vector v) { _mm_storeu_ps(p, _mm256_cvtpd_ps(v)); }
  static constexpr bool masked_store = false;  // slow on some CPUs
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm256_sub_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static double sum(Vector v) {
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
  }
  // Lane i of the result is the sum of the lanes of v[i].
  static Vector sums(const Vector* v) {
    const Vector low = _mm256_hadd_pd(v[0], v[1]), high = _mm256_hadd_pd(v[2], v[3]);
    return _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20),
                         _mm256_permute2f128_pd(low, high, 0x31));
  }
  // out[c] = the sum of the lanes of v[c], for four vectors at once.
  static void sums(const Vector* v, double* out) { store(out, sums(v)); }

  static Singles zero_singles() { return _mm256_setzero_ps(); }
  static Singles load_singles(const float* p) { return _mm256_loadu_ps(p); }
  static Singles fma(Singles a, Singles b, Singles c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector sums(const Singles* v) {
    const Singles quad = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
    return _mm256_cvtps_pd(
        _mm_add_ps(_mm256_castps256_ps128(quad), _mm256_extractf128_ps(quad, 1)));
  }
};

}  // namespace
}  // namespace banditcd
