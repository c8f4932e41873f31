// Compressed rows as coordinate descent visits them: stretches of entries, asked for in advance.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/columns.hpp"
#include "kernels/prefetch.hpp"

namespace banditcd::svm {

constexpr std::int64_t kLineBytes = 64, kLinesAhead = 8;  // the hardware follows from there

template <class T>
struct SparseStorage : CscColumns<T> {
  void axpy_of(std::int64_t k, std::int64_t end, double t, double* v) const {
    const T* value = this->value;
    const std::int32_t* row = this->row;
    // Columns are distinct within a row, so four updates are independent of each other.
    for (; k + 4 <= end; k += 4) {
      const double v0 = v[row[k]] + t * static_cast<double>(value[k]);
      const double v1 = v[row[k + 1]] + t * static_cast<double>(value[k + 1]);
      const double v2 = v[row[k + 2]] + t * static_cast<double>(value[k + 2]);
      const double v3 = v[row[k + 3]] + t * static_cast<double>(value[k + 3]);
      v[row[k]] = v0;
      v[row[k + 1]] = v1;
      v[row[k + 2]] = v2;
      v[row[k + 3]] = v3;
    }
    for (; k < end; ++k) v[row[k]] += t * static_cast<double>(value[k]);
  }
  void axpy(std::size_t j, double t, double* v) const {
    axpy_of(this->start[j], this->start[j + 1], t, v);
  }
  void prefetch(std::int64_t begin, std::int64_t end) const {
    constexpr std::int64_t values = kLineBytes / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t stop = std::min(end, begin + kLinesAhead * values);
    for (std::int64_t k = begin; k < stop; k += values) BANDITCD_PREFETCH(this->value + k);
    for (std::int64_t k = begin; k < stop; k += kLineBytes / 4) BANDITCD_PREFETCH(this->row + k);
  }
};

// Rows whose stored entries are all the same number, as categories encoded one by one are: only
// their places are kept, in two bytes each, a sixth of what a pass reads otherwise.
struct IndicatorStorage {
  using Place = std::uint16_t;
  static constexpr std::size_t kMostColumns = 1u << 16;
  std::vector<Place> row;
  const std::int64_t* start = nullptr;
  double value = 1.0;
  std::size_t rows = 0, cols = 0;

  std::size_t entries(std::size_t j) const {
    return static_cast<std::size_t>(start[j + 1] - start[j]);
  }
  std::size_t entries() const { return static_cast<std::size_t>(start[cols]); }
  double dot(std::size_t j, const double* v) const { return dot_of(start[j], start[j + 1], v); }
  void axpy(std::size_t j, double t, double* v) const { axpy_of(start[j], start[j + 1], t, v); }
  template <class F>
  void each(std::size_t j, F&& f) const {
    for (std::int64_t k = start[j]; k < start[j + 1]; ++k)
      f(static_cast<std::size_t>(row[static_cast<std::size_t>(k)]), value);
  }
  double dot_of(std::int64_t begin, std::int64_t end, const double* v) const {
    const Place* p = row.data() + begin;
    const Place* const last = row.data() + end;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (; p + 4 <= last; p += 4) {
      s0 += v[p[0]];
      s1 += v[p[1]];
      s2 += v[p[2]];
      s3 += v[p[3]];
    }
    for (; p < last; ++p) s0 += v[*p];
    return value * ((s0 + s2) + (s1 + s3));
  }
  void axpy_of(std::int64_t begin, std::int64_t end, double t, double* v) const {
    const Place* p = row.data() + begin;
    const Place* const last = row.data() + end;
    const double step = t * value;
    for (; p + 4 <= last; p += 4) {
      const double v0 = v[p[0]] + step, v1 = v[p[1]] + step;
      const double v2 = v[p[2]] + step, v3 = v[p[3]] + step;
      v[p[0]] = v0;
      v[p[1]] = v1;
      v[p[2]] = v2;
      v[p[3]] = v3;
    }
    for (; p < last; ++p) v[*p] += step;
  }
  void prefetch(std::int64_t begin, std::int64_t end) const {
    constexpr std::int64_t places = kLineBytes / static_cast<std::int64_t>(sizeof(Place));
    const std::int64_t stop = std::min(end, begin + kLinesAhead * places);
    for (std::int64_t k = begin; k < stop; k += places) BANDITCD_PREFETCH(row.data() + k);
  }
};

template <class T>
double square(const SparseStorage<T>& x, std::size_t j) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};  // one sum would wait for itself at every entry
  std::int64_t k = x.start[j];
  const std::int64_t end = x.start[j + 1];
  const auto at = [&](std::int64_t l) {
    const auto value = static_cast<double>(x.value[l]);
    return value * value;
  };
  for (; k + 4 <= end; k += 4)
    for (int l = 0; l < 4; ++l) sum[l] += at(k + l);
  for (; k < end; ++k) sum[0] += at(k);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

inline double square(const IndicatorStorage& x, std::size_t j) {
  return x.value * x.value * static_cast<double>(x.entries(j));
}

}  // namespace banditcd::svm
