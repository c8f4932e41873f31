// The first pass over dense columns: <x_j, v>, |x_j|^2 and the mean of each, from one look.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "columns/design.hpp"
#include "kernels/columns.hpp"
#include "kernels/prices.hpp"
#include "kernels/threads.hpp"

namespace banditcd {

constexpr std::size_t kSurveyChunk = 2048;       // rows of v that stay in the first-level cache
constexpr std::size_t kSurveyEntries = 1 << 20;  // entries between two looks at the watch
constexpr std::size_t kGroupsPerThread = 8;      // the same, with threads: groups of columns

// sum s (x - mean)^2; by a second look at the column where the difference would cancel.
template <class T>
double centered_square(const Rowspace& space, const T* a, double mean, double square) {
  const double quick = square - space.total_weight * mean * mean;
  if (!std::isfinite(square)) return square;  // to be refused, not to look like a constant
  if (quick > 1e-4 * square) return quick;
  double sum = 0.0;
  for (std::size_t i = 0; i < space.rows; ++i) {
    const double shifted = static_cast<double>(a[i]) - mean;
    sum += (space.weight ? space.weight[i] : 1.0) * shifted * shifted;
  }
  return sum > 1e-26 * square * static_cast<double>(space.rows) ? sum : 0.0;
}

template <class T>
class DenseSurvey {
 public:
  DenseSurvey(const DenseColumns<T>& columns, const Rowspace& space, const double* v,
              ColumnFacts& out)
      : columns_(columns), space_(space), v_(v), out_(out) {}

  // Columns j .. j + 4; at the edge the last one is repeated.
  void four(std::size_t j) {
    const std::size_t count = std::min<std::size_t>(4, columns_.cols - j);
    double total[12] = {}, part[12];
    for (std::size_t i = 0; i < columns_.rows; i += kSurveyChunk) {
      const T* a[4];
      for (std::size_t c = 0; c < 4; ++c) a[c] = columns_.column(j + std::min(c, count - 1)) + i;
      moments4(a, v_ + i, std::min(kSurveyChunk, columns_.rows - i), part);
      for (std::size_t k = 0; k < 12; ++k) total[k] += part[k];
    }
    for (std::size_t c = 0; c < count; ++c) set(j + c, total[c], total[4 + c], total[8 + c]);
  }

  void weighted(std::size_t j) {
    double correlation = 0.0, square = 0.0, sum = 0.0;
    buffer_.resize(std::min(kSurveyChunk, columns_.rows));
    for (std::size_t i = 0; i < columns_.rows; i += kSurveyChunk) {
      const std::size_t count = std::min(kSurveyChunk, columns_.rows - i);
      const T* a = columns_.column(j) + i;
      const double* s = space_.weight + i;
      for (std::size_t t = 0; t < count; ++t) buffer_[t] = s[t] * static_cast<double>(a[t]);
      correlation += dot(a, v_ + i, count);
      square += dot(a, buffer_.data(), count);
      sum += dot(a, s, count);
    }
    set(j, correlation, square, sum);
  }

 private:
  void set(std::size_t j, double correlation, double square, double sum) {
    const double mean = space_.centered ? sum / space_.total_weight : 0.0;
    out_.correlation[j] = correlation;
    out_.mean[j] = mean;
    out_.square[j] =
        space_.centered ? centered_square(space_, columns_.column(j), mean, square) : square;
  }

  const DenseColumns<T>& columns_;
  const Rowspace& space_;
  const double* v_;
  ColumnFacts& out_;
  std::vector<double> buffer_;
};

// By groups of columns; a column's sums do not depend on who adds them.
template <class T>
void survey_dense(const DenseColumns<T>& columns, const Rowspace& space, const double* v,
                  ColumnFacts& out, std::size_t threads, Watch& watch) {
  const std::size_t rows = std::max<std::size_t>(1, columns.rows);
  const std::size_t shared = columns.entries() >= kThreadEntries ? threads : 1;
  const std::size_t entries = shared > 1 ? kThreadPiece : kSurveyEntries;
  const std::size_t group = std::max<std::size_t>(4, entries / rows / 4 * 4);
  const std::size_t groups = (columns.cols + group - 1) / group;
  const std::size_t at_once = shared > 1 ? kGroupsPerThread * shared : 1;
  std::vector<DenseSurvey<T>> survey(std::min(at_once, groups), {columns, space, v, out});
  for (std::size_t first = 0; first < groups; first += at_once) {
    const std::size_t some = std::min(at_once, groups - first);
    run_tasks(shared, some, [&](std::size_t task) {
      const std::size_t from = (first + task) * group, end = std::min(from + group, columns.cols);
      for (std::size_t j = from; j < end; j += space.weight ? 1 : 4)
        space.weight ? survey[task].weighted(j) : survey[task].four(j);
    });
    if (first + some < groups) watch.check();  // a short survey is never interrupted
  }
}

}  // namespace banditcd
