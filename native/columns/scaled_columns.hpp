// Some columns, packed and with each row multiplied by a root of its weight: sums over them need no
// weights any more, and neighbors in the order of the sweeps are neighbors in memory. Dense ones
// are kept in single precision: sweeps over them wait for memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/columns.hpp"

namespace banditcd {

struct ScaledColumns {
  std::vector<double> value;
  std::vector<float> dense;  // column after column; value, row and start are of no use then
  std::vector<std::int32_t> row;
  std::vector<std::int64_t> start;
  std::vector<double> square, along;  // of each column: <x, x> and <x, root>, both scaled

  CscColumns<double> view(std::size_t rows) const {
    return {value.data(), row.data(), start.data(), rows, square.size()};
  }
  DenseColumns<float> dense_view(std::size_t rows) const {
    return {dense.data(), rows, square.size(), rows};
  }
  std::size_t entries() const { return dense.empty() ? value.size() : dense.size(); }
};

// Sizes a vector whose old values are not wanted: they are given back before more room is taken, so
// that the two are never there together. What is reserved beyond the size is not touched.
template <class V>
void resize_without_copy(std::vector<V>& out, std::size_t size, std::size_t most) {
  if (out.capacity() < size) {
    std::vector<V>().swap(out);
    out.reserve(std::min(2 * size, most));
  }
  out.resize(size);
}

template <class T, class Index>
void scale_columns(const CscColumns<T>& from, const Index* column, std::size_t count,
                   const double* root, ScaledColumns& out) {
  std::size_t total = 0;
  for (std::size_t t = 0; t < count; ++t) total += from.entries(column[t]);
  out.dense.clear();
  resize_without_copy(out.value, total, from.entries());
  resize_without_copy(out.row, total, from.entries());
  out.start.assign(1, 0);
  out.square.resize(count);
  out.along.resize(count);
  std::size_t place = 0;
  for (std::size_t t = 0; t < count; ++t) {
    double square = 0.0, along = 0.0;
    from.each(column[t], [&](std::size_t i, double a) {
      const double scaled = a * root[i];
      square += scaled * scaled;
      along += scaled * root[i];
      out.value[place] = scaled;
      out.row[place++] = static_cast<std::int32_t>(i);
    });
    out.square[t] = square;
    out.along[t] = along;
    out.start.push_back(static_cast<std::int64_t>(place));
  }
}

template <class T, class Index>
void scale_columns(const DenseColumns<T>& from, const Index* column, std::size_t count,
                   const double* root, ScaledColumns& out) {
  const std::size_t n = from.rows;
  resize_without_copy(out.dense, count * n, from.cols * n);
  out.square.resize(count);
  out.along.resize(count);
  std::vector<double> scaled(n);
  for (std::size_t t = 0; t < count; ++t) {
    const T* a = from.column(column[t]);
    float* to = out.dense.data() + t * n;
    for (std::size_t i = 0; i < n; ++i) {
      scaled[i] = static_cast<double>(a[i]) * root[i];
      to[i] = static_cast<float>(scaled[i]);
    }
    out.square[t] = dot(scaled.data(), scaled.data(), n);
    out.along[t] = dot(scaled.data(), root, n);
  }
}

}  // namespace banditcd
