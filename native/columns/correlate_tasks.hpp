// Correlations of columns with several vectors from one reading of the columns.
#pragma once
#include <algorithm>
#include <vector>

#include "columns/design.hpp"
#include "kernels/prices.hpp"
#include "kernels/tiles.hpp"

namespace banditcd {

// out[k * count + t] = <x_column[t], v_k>, v_k at v + k * rows.
struct TaskCorrelations {
  const Index* column;
  std::size_t count;
  const double* v;
  std::size_t tasks;
  double* out;
};

// From this many vectors on, packing the columns for the product kernel pays.
constexpr std::size_t kTasksAtOnce = 3;

// By blocks of rows and columns; both sides are packed, so that the product kernel has no tails.
template <class T>
void correlate_tasks_dense(const DenseColumns<T>& columns, const TaskCorrelations& request,
                           Watch& watch) {
  constexpr std::size_t kColumns = 32;
  AlignedBuffer left, right, sums;
  left.reserve(kColumns * kGramRows);
  right.reserve(request.tasks * kGramRows);
  const std::size_t rows = columns.rows;
  std::fill_n(request.out, request.count * request.tasks, 0.0);
  for (std::size_t row = 0; row < rows; row += kGramRows) {
    const std::size_t size = std::min(kGramRows, rows - row), lane = padded(size);
    const auto pack = [&](const auto* from, double* to) {
      std::copy_n(from + row, size, to);
      std::fill(to + size, to + lane, 0.0);
    };
    for (std::size_t k = 0; k < request.tasks; ++k)
      pack(request.v + k * rows, right.data() + k * lane);
    for (std::size_t t = 0; t < request.count; t += kColumns) {
      const std::size_t some = std::min(kColumns, request.count - t);
      for (std::size_t i = 0; i < some; ++i)
        pack(columns.column(request.column[t + i]), left.data() + i * lane);
      add_products({left.data(), lane, some}, {right.data(), lane, request.tasks}, lane, 1.0,
                   request.out + t, request.count);
      if (t % (16 * kColumns) == 0) watch.check();
    }
  }
}

// With the vectors side by side, so that a stored entry meets all of them in one place.
template <class T>
void correlate_tasks_sparse(const CscColumns<T>& columns, const TaskCorrelations& request,
                            Watch& watch) {
  constexpr std::size_t kCheck = 1 << 18;
  const std::size_t tasks = request.tasks, rows = columns.rows;
  std::vector<double> beside(rows * tasks), sums(tasks);
  for (std::size_t k = 0; k < tasks; ++k)
    for (std::size_t i = 0; i < rows; ++i) beside[i * tasks + k] = request.v[k * rows + i];
  std::size_t since_check = 0;
  for (std::size_t t = 0; t < request.count; ++t) {
    std::fill(sums.begin(), sums.end(), 0.0);
    columns.each(request.column[t], [&](std::size_t i, double a) {
      const double* v = beside.data() + i * tasks;
      for (std::size_t k = 0; k < tasks; ++k) sums[k] += a * v[k];
    });
    for (std::size_t k = 0; k < tasks; ++k) request.out[k * request.count + t] = sums[k];
    if ((since_check += tasks * columns.entries(request.column[t])) > kCheck)
      watch.check(), since_check = 0;
  }
}

}  // namespace banditcd
