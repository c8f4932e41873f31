// A matrix in the other order. NumPy walks along one side, and touches a cache line and a page for
// every entry of a wide matrix; squares of eight by eight use whole lines on both sides.
#pragma once
#include <algorithm>
#include <cstddef>

namespace banditcd {
namespace {  // one for each instruction set

constexpr std::size_t kTurnSide = 8, kTurnRows = 64;  // lines written at a time stay in the cache

template <class T>
void turn_square(const T* from, std::size_t n, T* to, std::size_t d) {
  T square[kTurnSide][kTurnSide];
  for (std::size_t c = 0; c < kTurnSide; ++c)
    for (std::size_t r = 0; r < kTurnSide; ++r) square[c][r] = from[c * n + r];
  for (std::size_t r = 0; r < kTurnSide; ++r)
    for (std::size_t c = 0; c < kTurnSide; ++c) to[r * d + c] = square[c][r];
}

// to[i d + j] = from[j n + i] for i < n, j < d.
template <class T>
void turn_blocks(const T* from, std::size_t n, std::size_t d, T* to) {
  for (std::size_t first = 0; first < n; first += kTurnRows) {
    const std::size_t last = std::min(n, first + kTurnRows);
    std::size_t j = 0;
    for (; j + kTurnSide <= d; j += kTurnSide) {
      std::size_t i = first;
      for (; i + kTurnSide <= last; i += kTurnSide)
        turn_square(from + j * n + i, n, to + i * d + j, d);
      for (; i < last; ++i)
        for (std::size_t c = j; c < j + kTurnSide; ++c) to[i * d + c] = from[c * n + i];
    }
    for (; j < d; ++j)
      for (std::size_t i = first; i < last; ++i) to[i * d + j] = from[j * n + i];
  }
}

}  // namespace
}  // namespace banditcd
