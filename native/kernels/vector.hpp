// Vector kernels, one table per instruction set, chosen once at run time.
//
// All accumulations are in double precision, whatever the storage type of the column.
#pragma once
#include <cstddef>

namespace banditcd {

struct VectorKernels {
  const char* name;
  double (*dot)(const double* a, const double* b, std::size_t n);
  double (*dot_f32)(const float* a, const double* b, std::size_t n);
  void (*axpy)(double t, const double* a, double* y, std::size_t n);  // y += t a
  void (*axpy_f32)(double t, const float* a, double* y, std::size_t n);
  // Both in one reading of y: y += t a, then y . b.
  double (*axpy_dot)(double t, const double* a, double* y, const double* b, std::size_t n);
  double (*axpy_dot_f32)(double t, const float* a, double* y, const float* b, std::size_t n);
  void (*axpy4)(const double* t, const double* const* a, double* y, std::size_t n);  // y += t_c a_c
  void (*axpy4_f32)(const double* t, const float* const* a, double* y, std::size_t n);
  // Four columns against one vector: b is read once, which is what a pass over A is bound by.
  void (*dot4)(const double* const* a, const double* b, std::size_t n, double* out);
  void (*dot4_f32)(const float* const* a, const double* b, std::size_t n, double* out);
  // The same, with |a_c|^2 at out[4 + c] and the sum of a_c at out[8 + c].
  void (*moments4)(const double* const* a, const double* b, std::size_t n, double* out);
  void (*moments4_f32)(const float* const* a, const double* b, std::size_t n, double* out);
  // sum_k h_k a_k^2
  double (*curvature)(const double* a, const double* h, std::size_t n);
  double (*curvature_f32)(const float* a, const double* h, std::size_t n);
  // Both in one reading of a: y += t a and r -= t h a.
  void (*curved_axpy)(double t, const double* a, const double* h, double* y, double* r,
                      std::size_t n);
  void (*curved_axpy_f32)(double t, const float* a, const double* h, double* y, double* r,
                          std::size_t n);
  // The other order of a matrix: to[i d + j] = from[j n + i] for i < n, j < d.
  void (*turn)(const double* from, std::size_t n, std::size_t d, double* to);
  void (*turn_f32)(const float* from, std::size_t n, std::size_t d, float* to);
};

// The table in use: the widest the CPU has, unless select_kernels() chose another.
const VectorKernels& kernels();
// "portable", "avx2", "avx512" or "auto". Returns false if the CPU does not have it.
bool select_kernels(const char* name);

extern const VectorKernels portable_kernels;
#ifdef BANDITCD_X86
extern const VectorKernels avx2_kernels;
extern const VectorKernels avx512_kernels;
// Whether a CPU with AVX-512 counts the bits of wide vectors, too (VPOPCNTDQ).
bool counts_wide_bits();
#endif

inline void turn(const double* from, std::size_t n, std::size_t d, double* to) {
  kernels().turn(from, n, d, to);
}
inline void turn(const float* from, std::size_t n, std::size_t d, float* to) {
  kernels().turn_f32(from, n, d, to);
}
inline double dot(const double* a, const double* b, std::size_t n) {
  return kernels().dot(a, b, n);
}
inline double dot(const float* a, const double* b, std::size_t n) {
  return kernels().dot_f32(a, b, n);
}
inline void axpy(double t, const double* a, double* y, std::size_t n) {
  kernels().axpy(t, a, y, n);
}
inline void axpy(double t, const float* a, double* y, std::size_t n) {
  kernels().axpy_f32(t, a, y, n);
}
inline double axpy_dot(double t, const double* a, double* y, const double* b, std::size_t n) {
  return kernels().axpy_dot(t, a, y, b, n);
}
inline double axpy_dot(double t, const float* a, double* y, const float* b, std::size_t n) {
  return kernels().axpy_dot_f32(t, a, y, b, n);
}
inline void axpy4(const double* t, const double* const* a, double* y, std::size_t n) {
  kernels().axpy4(t, a, y, n);
}
inline void axpy4(const double* t, const float* const* a, double* y, std::size_t n) {
  kernels().axpy4_f32(t, a, y, n);
}
inline void dot4(const double* const* a, const double* b, std::size_t n, double* out) {
  kernels().dot4(a, b, n, out);
}
inline void dot4(const float* const* a, const double* b, std::size_t n, double* out) {
  kernels().dot4_f32(a, b, n, out);
}
inline void moments4(const double* const* a, const double* b, std::size_t n, double* out) {
  kernels().moments4(a, b, n, out);
}
inline void moments4(const float* const* a, const double* b, std::size_t n, double* out) {
  kernels().moments4_f32(a, b, n, out);
}
inline double curvature(const double* a, const double* h, std::size_t n) {
  return kernels().curvature(a, h, n);
}
inline double curvature(const float* a, const double* h, std::size_t n) {
  return kernels().curvature_f32(a, h, n);
}
inline void curved_axpy(double t, const double* a, const double* h, double* y, double* r,
                        std::size_t n) {
  kernels().curved_axpy(t, a, h, y, r, n);
}
inline void curved_axpy(double t, const float* a, const double* h, double* y, double* r,
                        std::size_t n) {
  kernels().curved_axpy_f32(t, a, h, y, r, n);
}

}  // namespace banditcd
