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
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  static double sum(Vector v) { return _mm512_reduce_add_pd(v); }
};

}  // namespace

const VectorKernels avx512_kernels = {
    "avx512",
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
