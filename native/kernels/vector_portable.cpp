// Plain C++: the same bits on every machine, and what the wide kernels are tested against.
#include "kernels/transpose.hpp"
#include "kernels/vector.hpp"

namespace banditcd {
namespace {

// Eight partial sums in a fixed order: short enough chains for any compiler to vectorise.
template <class T>
double dot_plain(const T* a, const double* b, std::size_t n) {
  double sum[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= n; j += 8)
    for (int k = 0; k < 8; ++k) sum[k] += static_cast<double>(a[j + k]) * b[j + k];
  double tail = 0.0;
  for (; j < n; ++j) tail += static_cast<double>(a[j]) * b[j];
  return (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))) + tail;
}

template <class T>
void axpy_plain(double t, const T* a, double* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] += t * static_cast<double>(a[j]);
}

template <class T>
double axpy_dot_plain(double t, const T* a, double* y, const T* b, std::size_t n) {
  axpy_plain(t, a, y, n);
  return dot_plain(b, y, n);
}

template <class T>
void axpy4_plain(const double* t, const T* const* a, double* y, std::size_t n) {
  for (int c = 0; c < 4; ++c) axpy_plain(t[c], a[c], y, n);
}
template <class T>
void dot4_plain(const T* const* a, const double* b, std::size_t n, double* out) {
  for (int c = 0; c < 4; ++c) out[c] = dot_plain(a[c], b, n);
}

template <class T>
double square_plain(const T* a, std::size_t n) {
  double sum[8] = {}, tail = 0.0;
  std::size_t j = 0;
  for (; j + 8 <= n; j += 8)
    for (int k = 0; k < 8; ++k)
      sum[k] += static_cast<double>(a[j + k]) * static_cast<double>(a[j + k]);
  for (; j < n; ++j) tail += static_cast<double>(a[j]) * static_cast<double>(a[j]);
  return (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))) + tail;
}

template <class T>
void moments4_plain(const T* const* a, const double* b, std::size_t n, double* out) {
  for (int c = 0; c < 4; ++c) {
    out[c] = dot_plain(a[c], b, n);
    out[4 + c] = square_plain(a[c], n);
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += static_cast<double>(a[c][j]);
    out[8 + c] = sum;
  }
}

template <class T>
double curvature_plain(const T* a, const double* h, std::size_t n) {
  double sum[8] = {}, tail = 0.0;
  std::size_t j = 0;
  for (; j + 8 <= n; j += 8)
    for (int k = 0; k < 8; ++k) {
      const double x = static_cast<double>(a[j + k]);
      sum[k] += x * h[j + k] * x;
    }
  for (; j < n; ++j) tail += static_cast<double>(a[j]) * h[j] * static_cast<double>(a[j]);
  return (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))) + tail;
}

template <class T>
void curved_axpy_plain(double t, const T* a, const double* h, double* y, double* r, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    const double x = static_cast<double>(a[j]);
    y[j] += t * x;
    r[j] -= t * (h[j] * x);
  }
}

}  // namespace

const VectorKernels portable_kernels = {
    "portable",
    dot_plain<double>,
    dot_plain<float>,
    axpy_plain<double>,
    axpy_plain<float>,
    axpy_dot_plain<double>,
    axpy_dot_plain<float>,
    axpy4_plain<double>,
    axpy4_plain<float>,
    dot4_plain<double>,
    dot4_plain<float>,
    moments4_plain<double>,
    moments4_plain<float>,
    curvature_plain<double>,
    curvature_plain<float>,
    curved_axpy_plain<double>,
    curved_axpy_plain<float>,
    turn_blocks<double>,
    turn_blocks<float>,
};

}  // namespace banditcd
