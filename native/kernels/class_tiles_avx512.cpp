// The kernels of several classes for AVX-512. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include <immintrin.h>

#include "kernels/class_tiles_wide.hpp"

namespace banditcd {
namespace {

struct Narrow {
  using Vector = __m256d;
  using Half = Narrow;
  static constexpr std::size_t width = 4, registers = 32;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector broadcast(double t) { return _mm256_set1_pd(t); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
};

struct Wide {
  using Vector = __m512d;
  using Half = Narrow;  // for what is left of a row of classes
  static constexpr std::size_t width = 8, registers = 32;
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector broadcast(double t) { return _mm512_set1_pd(t); }
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
};

}  // namespace

const ClassKernels avx512_classes = class_kernels_of<Wide>();

}  // namespace banditcd
#endif
