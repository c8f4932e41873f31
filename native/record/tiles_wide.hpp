// The tile of inner products, written once for every wide instruction set.
//
// Included only by files built for that instruction set; see kernels/vector_wide.hpp for why
// everything is in an unnamed namespace.
#pragma once
#include <cstddef>

namespace banditcd::record {
namespace {

template <class S, int kB>
void wide_tile(const double* const* a, const double* const* b, std::size_t k, double* out) {
  constexpr int kA = static_cast<int>(S::width);
  typename S::Vector sum[kB][kA];
  for (int j = 0; j < kB; ++j)
    for (int i = 0; i < kA; ++i) sum[j][i] = S::zero();
  for (std::size_t p = 0; p < k; p += S::width) {
    typename S::Vector right[kB];
    for (int j = 0; j < kB; ++j) right[j] = S::load(b[j] + p);
    for (int i = 0; i < kA; ++i) {
      const auto left = S::load(a[i] + p);
      for (int j = 0; j < kB; ++j) sum[j][i] = S::fma(left, right[j], sum[j][i]);
    }
  }
  for (int j = 0; j < kB; ++j) S::store(out + j * kA, S::sums(sum[j]));
}

}  // namespace
}  // namespace banditcd::record
