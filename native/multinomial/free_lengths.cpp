#include "multinomial/free_lengths.hpp"

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

void FreeLengths::find(const Problem& problem, const std::vector<double>& squares,
                       const std::vector<double>& sums, const Column& column) {
  const double total = problem.total_weight();
  length_.resize(problem.cols, -1.0);
  for (std::size_t j = 0; j < problem.cols; ++j) {
    if (length_[j] >= 0.0 || !problem.free_column(j)) continue;
    double square = squares[j];
    if (problem.intercept) {
      square = std::max(square - sums[j] * sums[j] / total, 0.0);
      if (square < kFar * squares[j]) square = square_about_mean(problem, column(j));
      if (square == 0.0) square = squares[j];
    }
    length_[j] = std::sqrt(square * total);
  }
}

bool FreeLengths::lacking(const Problem& problem) const {
  for (std::size_t j = 0; j < problem.cols; ++j)
    if (problem.free_column(j) && (length_.empty() || length_[j] < 0.0)) return true;
  return false;
}

}  // namespace banditcd::multinomial
