// The columns of a matrix, borrowed and never owned: dot, axpy, square and each of a column, dense
// or sparse.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/vector.hpp"

namespace banditcd {

// Column j starts at data + j * stride: a Fortran-ordered array, or the rows of a C-ordered one.
template <class T>
struct DenseColumns {
  using Value = T;
  const T* data = nullptr;
  std::size_t rows = 0, cols = 0, stride = 0;

  const T* column(std::size_t j) const { return data + j * stride; }
  std::size_t entries(std::size_t) const { return rows; }
  std::size_t entries() const { return rows * cols; }

  // Row and value of the k-th stored entry of column j.
  std::pair<std::size_t, double> entry(std::size_t j, std::size_t k) const {
    return {k, static_cast<double>(column(j)[k])};
  }

  double dot(std::size_t j, const double* v) const { return banditcd::dot(column(j), v, rows); }
  void axpy(std::size_t j, double t, double* v) const { banditcd::axpy(t, column(j), v, rows); }
  // sum_i h_i a_ij^2
  double curvature(std::size_t j, const double* h) const {
    return banditcd::curvature(column(j), h, rows);
  }
  // y += t a_j and r -= t h a_j
  void curved_axpy(std::size_t j, double t, const double* h, double* y, double* r) const {
    banditcd::curved_axpy(t, column(j), h, y, r, rows);
  }

  // f(row, value) for every entry of column j, in row order.
  template <class F>
  void each(std::size_t j, F&& f) const {
    const T* a = column(j);
    for (std::size_t k = 0; k < rows; ++k) f(k, static_cast<double>(a[k]));
  }
};

// Compressed sparse columns: entries of column j are start[j] .. start[j + 1], their rows ascend.
template <class T>
struct CscColumns {
  using Value = T;
  const T* value = nullptr;
  const std::int32_t* row = nullptr;
  const std::int64_t* start = nullptr;
  std::size_t rows = 0, cols = 0;
  bool ones = false;  // every stored value is 1 (find_ones): products need not read them

  // Whether that is so; one look at the values, up to the first block with another one.
  bool find_ones() const {
    constexpr std::int64_t kBlock = 256;
    for (std::int64_t k = start[0]; k < start[cols]; k += kBlock) {
      const std::int64_t end = k + kBlock < start[cols] ? k + kBlock : start[cols];
      int others = 0;
      for (std::int64_t i = k; i < end; ++i) others |= value[i] != T(1) ? 1 : 0;
      if (others) return false;
    }
    return true;
  }

  std::size_t entries(std::size_t j) const {
    return static_cast<std::size_t>(start[j + 1] - start[j]);
  }
  std::size_t entries() const { return static_cast<std::size_t>(start[cols] - start[0]); }

  std::pair<std::size_t, double> entry(std::size_t j, std::size_t k) const {
    const std::int64_t at = start[j] + static_cast<std::int64_t>(k);
    return {static_cast<std::size_t>(row[at]), static_cast<double>(value[at])};
  }

  // |a_j|^2 by two sums, which do not wait for each other.
  double square(std::size_t j) const {
    if (ones) return static_cast<double>(entries(j));
    double even = 0.0, odd = 0.0;
    std::int64_t k = start[j];
    for (; k + 2 <= start[j + 1]; k += 2) {
      const double a = value[k], b = value[k + 1];
      even += a * a;
      odd += b * b;
    }
    if (k < start[j + 1]) even += static_cast<double>(value[k]) * value[k];
    return even + odd;
  }

  double dot(std::size_t j, const double* v) const { return dot_of(start[j], start[j + 1], v); }
  // The stretch of entries k .. end.
  double dot_of(std::int64_t k, std::int64_t end, const double* v) const {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    if (ones) {
      for (; k + 4 <= end; k += 4) {
        s0 += v[row[k]];
        s1 += v[row[k + 1]];
        s2 += v[row[k + 2]];
        s3 += v[row[k + 3]];
      }
      for (; k < end; ++k) s0 += v[row[k]];
      return (s0 + s2) + (s1 + s3);
    }
    for (; k + 4 <= end; k += 4) {
      s0 += static_cast<double>(value[k]) * v[row[k]];
      s1 += static_cast<double>(value[k + 1]) * v[row[k + 1]];
      s2 += static_cast<double>(value[k + 2]) * v[row[k + 2]];
      s3 += static_cast<double>(value[k + 3]) * v[row[k + 3]];
    }
    for (; k < end; ++k) s0 += static_cast<double>(value[k]) * v[row[k]];
    return (s0 + s2) + (s1 + s3);
  }
  void axpy(std::size_t j, double t, double* v) const {
    const std::int64_t end = start[j + 1];
    if (ones) {
      for (std::int64_t k = start[j]; k < end; ++k) v[row[k]] += t;
      return;
    }
    for (std::int64_t k = start[j]; k < end; ++k) v[row[k]] += t * static_cast<double>(value[k]);
  }
  double curvature(std::size_t j, const double* h) const {
    double even = 0.0, odd = 0.0;
    std::int64_t k = start[j];
    for (; k + 2 <= start[j + 1]; k += 2) {
      const double a = value[k], b = value[k + 1];
      even += a * a * h[row[k]];
      odd += b * b * h[row[k + 1]];
    }
    if (k < start[j + 1]) even += static_cast<double>(value[k]) * value[k] * h[row[k]];
    return even + odd;
  }
  void curved_axpy(std::size_t j, double t, const double* h, double* y, double* r) const {
    for (std::int64_t k = start[j]; k < start[j + 1]; ++k) {
      const double move = t * static_cast<double>(value[k]);
      const std::int32_t i = row[k];
      y[i] += move;
      r[i] -= move * h[i];
    }
  }
  template <class F>
  void each(std::size_t j, F&& f) const {
    for (std::int64_t k = start[j]; k < start[j + 1]; ++k)
      f(static_cast<std::size_t>(row[k]), static_cast<double>(value[k]));
  }
};

// The arrays of compressed sparse columns, owned; a column is closed by end_column().
template <class T>
struct CompressedArrays {
  std::vector<T> value;
  std::vector<std::int32_t> index;
  std::vector<std::int64_t> start{0};

  void end_column() { start.push_back(static_cast<std::int64_t>(index.size())); }
  CscColumns<T> columns(std::size_t rows) const {
    return {value.data(), index.data(), start.data(), rows, start.size() - 1};
  }
};

// sum_k weight(k) a_kj^2, in double.
template <class Columns, class Weight>
double weighted_square(const Columns& A, std::size_t j, Weight&& weight) {
  double sum = 0.0;
  A.each(j, [&](std::size_t k, double a) { sum += weight(k) * a * a; });
  return sum;
}
template <class Columns>
double square(const Columns& A, std::size_t j) {
  return weighted_square(A, j, [](std::size_t) { return 1.0; });
}

}  // namespace banditcd
