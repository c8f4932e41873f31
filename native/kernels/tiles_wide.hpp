// The tile of inner products, written once for every wide instruction set.
//
// Included only by files built for that instruction set; see kernels/vector_wide.hpp for why
// everything is in an unnamed namespace.
#pragma once
#include <cstddef>
#include <type_traits>

#include "kernels/tiles.hpp"

// Keeps a loaded value in a register: GCC would load it again for every product, which makes the
// tile wait for the first-level cache instead of the multipliers (1.8 times slower).
#if defined(__GNUC__)
#define BANDITCD_PIN(value) __asm__("" : "+v"(value))
#else
#define BANDITCD_PIN(value) static_cast<void>(value)
#endif

namespace banditcd {
namespace {

// Doubles, or singles with sums in double.
template <class S, class V>
struct TileEntries {
  using Vector = typename S::Vector;
  static Vector zero() { return S::zero(); }
  static Vector load(const V* p) { return S::load(p); }
};
template <class S>
struct TileEntries<S, float> {
  using Vector = typename S::Singles;
  static Vector zero() { return S::zero_singles(); }
  static Vector load(const float* p) { return S::load_singles(p); }
};

template <class S, int kB, class V>
void wide_tile(const V* const* a, const V* const* b, std::size_t k, double sign, double* c,
               std::size_t ldc) {
  using Entries = TileEntries<S, V>;
  constexpr int kA = static_cast<int>(S::width);
  constexpr std::size_t kStep = S::width * (sizeof(double) / sizeof(V));
  typename Entries::Vector sum[kB][kA];
  for (int j = 0; j < kB; ++j)
    for (int i = 0; i < kA; ++i) sum[j][i] = Entries::zero();
  for (std::size_t p = 0; p < k; p += kStep) {
    typename Entries::Vector right[kB];
    for (int j = 0; j < kB; ++j) right[j] = Entries::load(b[j] + p);
    for (int i = 0; i < kA; ++i) {
      auto left = Entries::load(a[i] + p);
      BANDITCD_PIN(left);
      for (int j = 0; j < kB; ++j) sum[j][i] = S::fma(left, right[j], sum[j][i]);
    }
  }
  const auto factor = S::broadcast(sign);
  for (int j = 0; j < kB; ++j)
    S::store(c + j * ldc, S::fma(factor, S::sums(sum[j]), S::load(c + j * ldc)));
}

template <class S>
void wide_narrow(const double* a, std::size_t k, double mean, double scale, float* out) {
  const auto shift = S::broadcast(mean), factor = S::broadcast(scale);
  std::size_t i = 0;
  for (; i + S::width <= k; i += S::width)
    S::store_narrow(out + i, S::multiply(S::subtract(S::load(a + i), shift), factor));
  for (; i < k; ++i) out[i] = static_cast<float>((a[i] - mean) * scale);
}

// Two vectors of rows for all points at a time.
template <class S>
void wide_residuals(const Points& points, std::size_t k, double* out, std::size_t ldo) {
  constexpr std::size_t w = S::width;
  const auto rows = [&](std::size_t i, auto vectors) {
    constexpr std::size_t kV = decltype(vectors)::value;
    typename S::Vector sum[kPoints][kV];
    for (std::size_t b = 0; b < kPoints; ++b)
      for (std::size_t v = 0; v < kV; ++v) sum[b][v] = S::zero();
    for (std::size_t t = 0; t < points.count; ++t) {
      typename S::Vector x[kV];
      for (std::size_t v = 0; v < kV; ++v) x[v] = S::load(points.x[t] + i + v * w);
      for (std::size_t b = 0; b < kPoints; ++b) {
        const auto coef = S::broadcast(points.w[t * kPoints + b]);
        for (std::size_t v = 0; v < kV; ++v) sum[b][v] = S::fma(coef, x[v], sum[b][v]);
      }
    }
    for (std::size_t v = 0; v < kV; ++v) {
      const auto start = S::load(points.start + i + v * w);
      for (std::size_t b = 0; b < kPoints; ++b)
        S::store(out + b * ldo + i + v * w,
                 S::add(start, S::subtract(S::broadcast(points.shift[b]), sum[b][v])));
    }
  };
  std::size_t i = 0;
  for (; i + 2 * w <= k; i += 2 * w) rows(i, std::integral_constant<std::size_t, 2>());
  for (; i < k; i += w) rows(i, std::integral_constant<std::size_t, 1>());
}

template <class S>
void wide_spread(const SparseColumn& a, const double* w, double* r) {
  constexpr std::size_t kV = kSideBySide / S::width;
  typename S::Vector minus[kV];
  for (std::size_t v = 0; v < kV; ++v) minus[v] = S::subtract(S::zero(), S::load(w + v * S::width));
  for (std::size_t k = 0; k < a.count; ++k) {
    double* place = r + a.place(k);
    const auto value = S::broadcast(a.value[k]);
    for (std::size_t v = 0; v < kV; ++v)
      S::store(place + v * S::width, S::fma(value, minus[v], S::load(place + v * S::width)));
  }
}

// Two chains of sums, so that one need not wait for itself.
template <class S>
void wide_gather(const SparseColumn& a, const double* r, double* u) {
  constexpr std::size_t kV = kSideBySide / S::width;
  typename S::Vector sum[2][kV];
  for (auto& chain : sum)
    for (auto& part : chain) part = S::zero();
  const auto add = [&](std::size_t k, typename S::Vector* chain) {
    const double* place = r + a.place(k);
    const auto value = S::broadcast(a.value[k]);
    for (std::size_t v = 0; v < kV; ++v)
      chain[v] = S::fma(value, S::load(place + v * S::width), chain[v]);
  };
  std::size_t k = 0;
  for (; k + 2 <= a.count; k += 2) {
    add(k, sum[0]);
    add(k + 1, sum[1]);
  }
  if (k < a.count) add(k, sum[0]);
  for (std::size_t v = 0; v < kV; ++v) S::store(u + v * S::width, S::add(sum[0][v], sum[1][v]));
}

// Tiles of S::width x kB products.
template <class S, int kB>
constexpr TileKernel tile_kernel_of() {
  return {S::width,
          kB,
          wide_tile<S, kB, double>,
          wide_tile<S, kB, float>,
          wide_narrow<S>,
          wide_residuals<S>,
          wide_spread<S>,
          wide_gather<S>};
}

}  // namespace
}  // namespace banditcd
