// The kernels of several classes, written once for every instruction set.
//
// Included only by files built for that instruction set; see kernels/vector_wide.hpp for why
// everything is in an unnamed namespace. S offers vectors of S::width doubles.
#pragma once
#include <cmath>
#include <cstddef>

#include "kernels/class_tiles.hpp"
#include "kernels/logistic_loops.hpp"

namespace banditcd {
namespace {

// kA rows of c by kV vectors of classes, in registers along the whole sum.
template <class S, class T, int kA, int kV>
void class_tile(const T* x, const StridedBlock<T>& block, const double* w, std::size_t width,
                double* c) {
  typename S::Vector sum[kA][kV];
  for (int a = 0; a < kA; ++a)
    for (int v = 0; v < kV; ++v) sum[a][v] = S::zero();
  for (std::size_t t = 0; t < block.inners; ++t) {
    typename S::Vector right[kV];
    for (int v = 0; v < kV; ++v) right[v] = S::load(w + t * width + v * S::width);
    const T* left = x + t * block.inner;
    for (int a = 0; a < kA; ++a) {
      const auto value = S::broadcast(static_cast<double>(left[a * block.outer]));
      for (int v = 0; v < kV; ++v) sum[a][v] = S::fma(value, right[v], sum[a][v]);
    }
  }
  for (int a = 0; a < kA; ++a)
    for (int v = 0; v < kV; ++v) {
      double* place = c + a * width + v * S::width;
      S::store(place, S::add(S::load(place), sum[a][v]));
    }
}

template <class S, class T, int kV>
void class_strip(const StridedBlock<T>& x, const double* w, std::size_t width, double* c) {
  constexpr int kA = S::registers / (kV + 1) >= 8 ? 8 : 4;
  std::size_t a = 0;
  for (; a + kA <= x.outers; a += kA)
    class_tile<S, T, kA, kV>(x.data + a * x.outer, x, w, width, c + a * width);
  for (; a < x.outers; ++a)
    class_tile<S, T, 1, kV>(x.data + a * x.outer, x, w, width, c + a * width);
}

// By strips of classes: as many vectors as there are registers for, then fewer, and half a vector
// at the end where vectors are wider than kClassLane.
template <class S, class T>
void wide_classes(const StridedBlock<T>& x, const double* w, std::size_t width, double* c) {
  constexpr std::size_t kStep = S::width < kClassLane ? kClassLane : S::width;
  constexpr int kUnit = static_cast<int>(kStep / S::width);
  constexpr std::size_t kMost = S::registers >= 32 ? 3 : 2 / kUnit > 0 ? 2 / kUnit : 1;
  std::size_t k = 0;
  for (; k + kMost * kStep <= width; k += kMost * kStep)
    class_strip<S, T, static_cast<int>(kMost) * kUnit>(x, w + k, width, c + k);
  if (kMost > 2 && k + 2 * kStep <= width) {
    class_strip<S, T, 2 * kUnit>(x, w + k, width, c + k);
    k += 2 * kStep;
  }
  for (; k + kStep <= width; k += kStep) class_strip<S, T, kUnit>(x, w + k, width, c + k);
  if (k < width) class_strip<typename S::Half, T, 1>(x, w + k, width, c + k);
}

template <class S, class T>
void gather_strip(const SparseRow<T>& x, const double* w, std::size_t width, double* c) {
  auto even = S::load(c), odd = S::zero();
  std::size_t t = 0;
  const auto place = [&](std::size_t at) {
    return w + static_cast<std::size_t>(x.index[at]) * width;
  };
  for (; t + 2 <= x.count; t += 2) {
    even = S::fma(S::broadcast(static_cast<double>(x.value[t])), S::load(place(t)), even);
    odd = S::fma(S::broadcast(static_cast<double>(x.value[t + 1])), S::load(place(t + 1)), odd);
  }
  if (t < x.count)
    even = S::fma(S::broadcast(static_cast<double>(x.value[t])), S::load(place(t)), even);
  S::store(c, S::add(even, odd));
}

template <class S, class T>
void wide_gather_classes(const SparseRow<T>& x, const double* w, std::size_t width, double* c) {
  std::size_t k = 0;
  for (; k + S::width <= width; k += S::width) gather_strip<S, T>(x, w + k, width, c + k);
  if (k < width) gather_strip<typename S::Half, T>(x, w + k, width, c + k);
}

template <class S, class T>
void wide_scatter_classes(const SparseRow<T>& x, const double* w, std::size_t width, double* c) {
  for (std::size_t t = 0; t < x.count; ++t) {
    double* place = c + static_cast<std::size_t>(x.index[t]) * width;
    const auto value = S::broadcast(static_cast<double>(x.value[t]));
    std::size_t k = 0;
    for (; k + S::width <= width; k += S::width)
      S::store(place + k, S::fma(value, S::load(w + k), S::load(place + k)));
    if (k < width) {
      using Half = typename S::Half;
      const auto half = Half::broadcast(static_cast<double>(x.value[t]));
      Half::store(place + k, Half::fma(half, Half::load(w + k), Half::load(place + k)));
    }
  }
}

// By blocks of rows, in flat loops without branches. What is left of the sum beside the largest is
// added up alone, so that the loss of a row that is nearly certain keeps its digits.
inline double softmax_loop(const ClassRows& rows, const double* z, double* p) {
  constexpr std::size_t kRows = 64;
  const std::size_t width = rows.width;
  double loss = 0.0, rest[kRows], margin[kRows];
  std::size_t best[kRows];
  for (std::size_t first = 0; first < rows.rows; first += kRows) {
    const std::size_t count = rows.rows - first < kRows ? rows.rows - first : kRows;
    const double* from = z + first * width;
    double* to = p + first * width;
    for (std::size_t i = 0; i < count; ++i) {
      const double* row = from + i * width;
      best[i] = 0;
      for (std::size_t k = 1; k < rows.classes; ++k) best[i] = row[k] > row[best[i]] ? k : best[i];
      const double top = row[best[i]];
      margin[i] = top - row[rows.label[first + i]];
      for (std::size_t k = 0; k < width; ++k) to[i * width + k] = std::fabs(top - row[k]);
    }
    for (std::size_t t = 0; t < count * width; ++t) to[t] = decaying_exp(to[t]);
    for (std::size_t i = 0; i < count; ++i) {
      double* row = to + i * width;
      for (std::size_t k = rows.classes; k < width; ++k) row[k] = 0.0;
      row[best[i]] = 0.0;
      double lane[kClassLane] = {};
      for (std::size_t k = 0; k < width; k += kClassLane)
        for (std::size_t t = 0; t < kClassLane; ++t) lane[t] += row[k + t];
      rest[i] = (lane[0] + lane[2]) + (lane[1] + lane[3]);
      row[best[i]] = 1.0;
      const double share = 1.0 / (1.0 + rest[i]);
      for (std::size_t k = 0; k < width; ++k) row[k] *= share;
    }
    for (std::size_t i = 0; i < count; ++i) margin[i] += log_1p(rest[i]);
    if (rows.weight) scale(rows.weight + first, count, margin);
    loss += sum(margin, count);
  }
  return loss;
}

inline void curve_loop(const ClassRows& rows, const double* p, const double* z, double* u) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double *share = p + i * rows.width, *from = z + i * rows.width;
    double* to = u + i * rows.width;
    double lane[kClassLane] = {};
    for (std::size_t k = 0; k < rows.width; k += kClassLane)
      for (std::size_t t = 0; t < kClassLane; ++t) lane[t] += share[k + t] * from[k + t];
    const double mean = (lane[0] + lane[2]) + (lane[1] + lane[3]);
    const double s = rows.weight ? rows.weight[i] : 1.0;
    for (std::size_t k = 0; k < rows.width; ++k) to[k] = s * share[k] * (from[k] - mean);
  }
}

inline double class_entropy_loop(const ClassRows& rows, const double* q, const double* p) {
  double total = 0.0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double *to = q + i * rows.width, *from = p + i * rows.width;
    double part = 0.0;
    for (std::size_t k = 0; k < rows.width; ++k) part += entropy_part(from[k], to[k] - from[k]);
    total += (rows.weight ? rows.weight[i] : 1.0) * part;
  }
  return total;
}

template <class S>
constexpr ClassKernels class_kernels_of() {
  return {wide_classes<S, double>,
          wide_classes<S, float>,
          wide_gather_classes<S, double>,
          wide_gather_classes<S, float>,
          wide_scatter_classes<S, double>,
          wide_scatter_classes<S, float>,
          softmax_loop,
          curve_loop,
          class_entropy_loop};
}

}  // namespace
}  // namespace banditcd
