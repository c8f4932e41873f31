#include "multinomial/column_lengths.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::multinomial {
namespace {

constexpr double kFar = 1e-6;  // of the squares: a spread below it is found from the entries

double square_about_mean(const Problem& problem, const std::vector<double>& x) {
  const double total = problem.total_weight();
  double mean = 0.0, square = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) mean += problem.weight(i) * (x[i] - x[0]) / total;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = x[i] - x[0] - mean;
    square += problem.weight(i) * off * off;
  }
  return square;
}

}  // namespace

void ColumnLengths::measure(const Problem& problem, const ClassColumns& X,
                            const std::vector<Index>& eligible, Watch& watch) {
  const std::vector<double> weight = problem.row_weights();
  const double total = problem.total_weight();
  if (plain_.empty()) {
    plain_.assign(problem.cols, 0.0);
    for (const Index j : eligible) plain_[j] = std::sqrt(total * X.curvature(j, weight.data()));
  }
  if (!lacking(problem)) return;
  const std::size_t width = problem.width();
  AlignedVector rows(problem.values(), 0.0), along(eligible.size() * width);
  for (std::size_t i = 0; i < weight.size(); ++i) rows[i * width] = weight[i];
  X.correlate(eligible.data(), eligible.size(), rows.data(), width, along.data(), watch);
  std::vector<double> squares(problem.cols, 0.0), sums(problem.cols, 0.0);
  for (std::size_t t = 0; t < eligible.size(); ++t) {
    const auto j = static_cast<std::size_t>(eligible[t]);
    squares[j] = plain_[j] * plain_[j] / total;
    sums[j] = along[t * width];
  }
  find_free(problem, squares, sums, [&](std::size_t j) {
    const Index index = static_cast<Index>(j);
    AlignedVector unit(width, 0.0), z(problem.values(), 0.0);
    unit[0] = 1.0;
    X.combine(&index, 1, unit.data(), width, z.data(), watch);
    std::vector<double> out(problem.count());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = z[i * width];
    return out;
  });
}

void ColumnLengths::measure(const Problem& problem, const RowMatrix& X, Watch& watch) {
  if (!lacking(problem)) return;
  const std::vector<double> weight = problem.row_weights();
  std::vector<double> squares(problem.cols), sums(problem.cols);
  X.squares(weight.data(), squares.data(), watch);
  X.transposed_times(weight.data(), sums.data(), watch);
  find_free(problem, squares, sums, [&](std::size_t j) {
    std::vector<double> unit(problem.cols, 0.0), out(problem.count());
    unit[j] = 1.0;
    X.times(unit.data(), out.data(), watch);
    return out;
  });
}

bool ColumnLengths::lacking(const Problem& problem) const {
  for (std::size_t j = 0; j < problem.cols; ++j)
    if (problem.free_column(j) && (free_.empty() || free_[j] < 0.0)) return true;
  return false;
}

void ColumnLengths::find_free(const Problem& problem, const std::vector<double>& squares,
                              const std::vector<double>& sums, const Column& column) {
  const double total = problem.total_weight();
  free_.resize(problem.cols, -1.0);
  for (std::size_t j = 0; j < problem.cols; ++j) {
    if (free_[j] >= 0.0 || !problem.free_column(j)) continue;
    double square = squares[j];
    if (problem.intercept) {
      square = std::max(square - sums[j] * sums[j] / total, 0.0);
      if (square < kFar * squares[j]) square = square_about_mean(problem, column(j));
      if (square == 0.0) square = squares[j];
    }
    free_[j] = std::sqrt(square * total);
  }
}

}  // namespace banditcd::multinomial
