// The loops of the wide vector kernels, written once for every instruction set.
//
// Included only by files built for that instruction set. Everything is in an unnamed namespace:
// a shared inline function could be merged by the linker with a copy that this CPU cannot run.
#pragma once
#include <cstddef>

#include "kernels/transpose.hpp"
#include "kernels/vector.hpp"

namespace banditcd {
namespace {

// What is left of a vector after whole steps of S::width is loaded with zeros behind it: short
// columns are common, and a loop over single entries would take most of their time.
template <class S, class T>
double wide_dot(const T* a, const double* b, std::size_t n) {
  constexpr std::size_t w = S::width;
  auto s0 = S::zero(), s1 = S::zero(), s2 = S::zero(), s3 = S::zero();
  std::size_t j = 0;
  for (; j + 4 * w <= n; j += 4 * w) {
    s0 = S::fma(S::load(a + j), S::load(b + j), s0);
    s1 = S::fma(S::load(a + j + w), S::load(b + j + w), s1);
    s2 = S::fma(S::load(a + j + 2 * w), S::load(b + j + 2 * w), s2);
    s3 = S::fma(S::load(a + j + 3 * w), S::load(b + j + 3 * w), s3);
  }
  for (; j + w <= n; j += w) s0 = S::fma(S::load(a + j), S::load(b + j), s0);
  if (j < n) s1 = S::fma(S::load_some(a + j, n - j), S::load_some(b + j, n - j), s1);
  return S::sum(S::add(S::add(s0, s1), S::add(s2, s3)));
}

template <class S, class T>
void wide_axpy(double t, const T* a, double* y, std::size_t n) {
  constexpr std::size_t w = S::width;
  const auto tt = S::broadcast(t);
  std::size_t j = 0;
  for (; j + 2 * w <= n; j += 2 * w) {
    S::store(y + j, S::fma(tt, S::load(a + j), S::load(y + j)));
    S::store(y + j + w, S::fma(tt, S::load(a + j + w), S::load(y + j + w)));
  }
  for (; j + w <= n; j += w) S::store(y + j, S::fma(tt, S::load(a + j), S::load(y + j)));
  if constexpr (S::masked_store) {
    if (j < n)
      S::store_some(y + j, n - j,
                    S::fma(tt, S::load_some(a + j, n - j), S::load_some(y + j, n - j)));
  } else {
    for (; j < n; ++j) y[j] += t * static_cast<double>(a[j]);
  }
}

template <class S, class T>
double wide_axpy_dot(double t, const T* a, double* y, const T* b, std::size_t n) {
  constexpr std::size_t w = S::width;
  const auto tt = S::broadcast(t);
  auto even = S::zero(), odd = S::zero();
  const auto step = [&](std::size_t j, auto& sum) {
    const auto moved = S::fma(tt, S::load(a + j), S::load(y + j));
    S::store(y + j, moved);
    sum = S::fma(moved, S::load(b + j), sum);
  };
  std::size_t j = 0;
  for (; j + 2 * w <= n; j += 2 * w) {
    step(j, even);
    step(j + w, odd);
  }
  if (j + w <= n) {
    step(j, even);
    j += w;
  }
  double tail = 0.0;
  for (; j < n; ++j) {
    y[j] += t * static_cast<double>(a[j]);
    tail += y[j] * static_cast<double>(b[j]);
  }
  return S::sum(S::add(even, odd)) + tail;
}

template <class S, class T>
void wide_axpy4(const double* t, const T* const* a, double* y, std::size_t n) {
  constexpr std::size_t w = S::width;
  const auto t0 = S::broadcast(t[0]), t1 = S::broadcast(t[1]);
  const auto t2 = S::broadcast(t[2]), t3 = S::broadcast(t[3]);
  std::size_t j = 0;
  for (; j + w <= n; j += w) {
    const auto first = S::fma(t1, S::load(a[1] + j), S::fma(t0, S::load(a[0] + j), S::load(y + j)));
    S::store(y + j, S::fma(t3, S::load(a[3] + j), S::fma(t2, S::load(a[2] + j), first)));
  }
  for (; j < n; ++j)
    for (int c = 0; c < 4; ++c) y[j] += t[c] * static_cast<double>(a[c][j]);
}

template <class S, class T>
void wide_dot4(const T* const* a, const double* b, std::size_t n, double* out) {
  constexpr std::size_t w = S::width;
  typename S::Vector even[4], odd[4];
  for (int c = 0; c < 4; ++c) even[c] = odd[c] = S::zero();
  std::size_t j = 0;
  for (; j + 2 * w <= n; j += 2 * w) {
    const auto b0 = S::load(b + j), b1 = S::load(b + j + w);
    for (int c = 0; c < 4; ++c) {
      even[c] = S::fma(S::load(a[c] + j), b0, even[c]);
      odd[c] = S::fma(S::load(a[c] + j + w), b1, odd[c]);
    }
  }
  if (j + w <= n) {
    const auto b0 = S::load(b + j);
    for (int c = 0; c < 4; ++c) even[c] = S::fma(S::load(a[c] + j), b0, even[c]);
    j += w;
  }
  if (j < n) {
    const auto b0 = S::load_some(b + j, n - j);
    for (int c = 0; c < 4; ++c) odd[c] = S::fma(S::load_some(a[c] + j, n - j), b0, odd[c]);
  }
  for (int c = 0; c < 4; ++c) even[c] = S::add(even[c], odd[c]);
  S::sums(even, out);
}

template <class S, class T>
void wide_moments4(const T* const* a, const double* b, std::size_t n, double* out) {
  constexpr std::size_t w = S::width;
  typename S::Vector product[4], square[4], sum[4];
  for (int c = 0; c < 4; ++c) product[c] = square[c] = sum[c] = S::zero();
  const auto add = [&](const auto& x, const auto& v, int c) {
    product[c] = S::fma(x, v, product[c]);
    square[c] = S::fma(x, x, square[c]);
    sum[c] = S::add(sum[c], x);
  };
  std::size_t j = 0;
  for (; j + w <= n; j += w) {
    const auto v = S::load(b + j);
    for (int c = 0; c < 4; ++c) add(S::load(a[c] + j), v, c);
  }
  if (j < n) {
    const auto v = S::load_some(b + j, n - j);
    for (int c = 0; c < 4; ++c) add(S::load_some(a[c] + j, n - j), v, c);
  }
  S::sums(product, out);
  S::sums(square, out + 4);
  S::sums(sum, out + 8);
}

template <class S, class T>
double wide_curvature(const T* a, const double* h, std::size_t n) {
  constexpr std::size_t w = S::width;
  auto even = S::zero(), odd = S::zero();
  const auto part = [](const auto& x, const auto& v, const auto& sum) {
    return S::fma(S::multiply(x, v), x, sum);
  };
  std::size_t j = 0;
  for (; j + 2 * w <= n; j += 2 * w) {
    even = part(S::load(a + j), S::load(h + j), even);
    odd = part(S::load(a + j + w), S::load(h + j + w), odd);
  }
  for (; j + w <= n; j += w) even = part(S::load(a + j), S::load(h + j), even);
  if (j < n) odd = part(S::load_some(a + j, n - j), S::load_some(h + j, n - j), odd);
  return S::sum(S::add(even, odd));
}

template <class S, class T>
void wide_curved_axpy(double t, const T* a, const double* h, double* y, double* r, std::size_t n) {
  constexpr std::size_t w = S::width;
  const auto plus = S::broadcast(t), minus = S::broadcast(-t);
  std::size_t j = 0;
  for (; j + w <= n; j += w) {
    const auto x = S::load(a + j);
    S::store(y + j, S::fma(plus, x, S::load(y + j)));
    S::store(r + j, S::fma(minus, S::multiply(S::load(h + j), x), S::load(r + j)));
  }
  for (; j < n; ++j) {
    const double x = static_cast<double>(a[j]);
    y[j] += t * x;
    r[j] -= t * (h[j] * x);
  }
}

template <class S>
constexpr VectorKernels vector_kernels_of(const char* name) {
  return {name,
          wide_dot<S, double>,
          wide_dot<S, float>,
          wide_axpy<S, double>,
          wide_axpy<S, float>,
          wide_axpy_dot<S, double>,
          wide_axpy_dot<S, float>,
          wide_axpy4<S, double>,
          wide_axpy4<S, float>,
          wide_dot4<S, double>,
          wide_dot4<S, float>,
          wide_moments4<S, double>,
          wide_moments4<S, float>,
          wide_curvature<S, double>,
          wide_curvature<S, float>,
          wide_curved_axpy<S, double>,
          wide_curved_axpy<S, float>,
          turn_blocks<double>,
          turn_blocks<float>};
}

}  // namespace
}  // namespace banditcd
