// The kernels of several classes, written once for every instruction set.
//
// Included only by files built for that instruction set; see kernels/vector_wide.hpp for why
// everything is in an unnamed namespace. S offers vectors of S::width doubles.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/class_tiles.hpp"
#include "kernels/logistic_loops.hpp"
#include "kernels/memory.hpp"

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

// By strips of classes: as many vectors as there are registers for, one lane of kLane at a time
// behind them.
template <class S, class T>
void wide_classes(const StridedBlock<T>& x, const double* w, std::size_t width, double* c) {
  constexpr std::size_t kUnit = kLane / S::width;  // vectors in a lane
  constexpr std::size_t kMost = S::registers >= 32 ? 3 : 1;
  std::size_t k = 0;
  for (; k + kMost * kLane <= width; k += kMost * kLane)
    class_strip<S, T, static_cast<int>(kMost * kUnit)>(x, w + k, width, c + k);
  if (kMost > 2 && k + 2 * kLane <= width) {
    class_strip<S, T, static_cast<int>(2 * kUnit)>(x, w + k, width, c + k);
    k += 2 * kLane;
  }
  for (; k < width; k += kLane)
    class_strip<S, T, static_cast<int>(kUnit)>(x, w + k, width, c + k);
}

template <class S, class T>
void wide_gather_classes(const SparseRow<T>& x, const double* w, std::size_t width, double* c) {
  constexpr std::size_t kV = kLane / S::width;
  for (std::size_t k = 0; k < width; k += kLane) {
    typename S::Vector sum[kV];
    for (std::size_t v = 0; v < kV; ++v) sum[v] = S::load(c + k + v * S::width);
    for (std::size_t t = 0; t < x.count; ++t) {
      const double* place = w + static_cast<std::size_t>(x.index[t]) * width + k;
      const auto value = S::broadcast(static_cast<double>(x.value[t]));
      for (std::size_t v = 0; v < kV; ++v)
        sum[v] = S::fma(value, S::load(place + v * S::width), sum[v]);
    }
    for (std::size_t v = 0; v < kV; ++v) S::store(c + k + v * S::width, sum[v]);
  }
}

template <class S, class T>
void wide_scatter_classes(const SparseRow<T>& x, const double* w, std::size_t width, double* c) {
  for (std::size_t t = 0; t < x.count; ++t) {
    double* place = c + static_cast<std::size_t>(x.index[t]) * width;
    const auto value = S::broadcast(static_cast<double>(x.value[t]));
    for (std::size_t k = 0; k < width; k += S::width)
      S::store(place + k, S::fma(value, S::load(w + k), S::load(place + k)));
  }
}

// The exponentials of a row are a loop without branches; what is left of the sum beside the
// largest is added up alone, so that the loss of a row that is nearly certain keeps its digits.
inline double softmax_loop(const ClassRows& rows, const double* z, double* p) {
  double loss = 0.0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double* from = z + i * rows.width;
    double* to = p + i * rows.width;
    std::size_t best = 0;
    for (std::size_t k = 1; k < rows.classes; ++k)
      if (from[k] > from[best]) best = k;
    const double top = from[best];
    for (std::size_t k = 0; k < rows.width; ++k) to[k] = decaying_exp(std::fabs(top - from[k]));
    for (std::size_t k = rows.classes; k < rows.width; ++k) to[k] = 0.0;
    to[best] = 0.0;
    double rest = 0.0;
    for (std::size_t k = 0; k < rows.width; ++k) rest += to[k];
    to[best] = 1.0;
    const double share = 1.0 / (1.0 + rest);
    for (std::size_t k = 0; k < rows.width; ++k) to[k] *= share;
    const double s = rows.weight ? rows.weight[i] : 1.0;
    loss += s * (log_1p(rest) + (top - from[rows.label[i]]));
  }
  return loss;
}

inline void curve_loop(const ClassRows& rows, const double* p, const double* z, double* u) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double *share = p + i * rows.width, *from = z + i * rows.width;
    double* to = u + i * rows.width;
    double lane[kLane] = {};
    for (std::size_t k = 0; k < rows.width; k += kLane)
      for (std::size_t t = 0; t < kLane; ++t) lane[t] += share[k + t] * from[k + t];
    const double mean = ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
                        ((lane[2] + lane[6]) + (lane[3] + lane[7]));
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
  return {wide_classes<S, double>,         wide_classes<S, float>,
          wide_gather_classes<S, double>,  wide_gather_classes<S, float>,
          wide_scatter_classes<S, double>, wide_scatter_classes<S, float>,
          softmax_loop,                    curve_loop,
          class_entropy_loop};
}

}  // namespace
}  // namespace banditcd
