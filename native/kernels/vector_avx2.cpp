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
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static double sum(Vector v) {
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
  }
};

}  // namespace

const VectorKernels avx2_kernels = {
    "avx2",
    wide_dot<Wide, double>,
    wide_dot<Wide, float>,
    wide_axpy<Wide, double>,
    wide_axpy<Wide, float>,
    wide_axpy4<Wide, double>,
    wide_axpy4<Wide, float>,
    wide_dot4<Wide, double>,
    wide_dot4<Wide, float>,
};

}  // namespace banditcd
#endif
