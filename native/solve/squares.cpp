#include "solve/squares.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace banditcd {
namespace {

// Below it a sum of squares has lost digits to the smallest numbers of float64.
constexpr double kLeastSquare = 1e-290;
// Lifts entries as small as numbers get to where products with them are none of the smallest.
constexpr double kLift = 1e150, kGolden = 0.6180339887498949;

// Nobody's squares are that small but of columns without entries, constant ones in a model with an
// intercept, and those asked for. Two looks at the columns tell them apart: squares that are not
// centered, and sums with weights that no ordinary column is orthogonal to.
bool any_vanishes(const Design& design, const std::vector<Index>& columns) {
  Watch unwatched;
  std::vector<double> rows(design.rows(), 1.0), square(columns.size()), sum(columns.size());
  design.weighted_squares(columns.data(), columns.size(), rows.data(), square.data(), unwatched);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = kLift * (1.0 + std::fmod(kGolden * static_cast<double>(i), 1.0));
  design.correlate(columns.data(), columns.size(), rows.data(), sum.data(), unwatched);
  for (std::size_t t = 0; t < columns.size(); ++t)
    if (square[t] < kLeastSquare && sum[t] != 0.0) return true;
  return false;
}

}  // namespace

void check_finite(const std::vector<double>& square) {
  for (const double value : square)
    if (!std::isfinite(value))
      throw std::overflow_error("The squares of X overflow float64; scale the data down.");
}

void check_squares(const Design& design, const std::vector<double>& square,
                   const Penalties& penalties) {
  check_finite(square);
  double largest = 0.0;
  for (const double value : square) largest = std::max(largest, value);
  std::vector<Index> small;
  for (std::size_t j = 0; j < square.size(); ++j)
    if (square[j] < kLeastSquare && (largest < kLeastSquare || penalties.at(j).free()))
      small.push_back(static_cast<Index>(j));
  if (!small.empty() && any_vanishes(design, small))
    throw std::overflow_error(
        largest < kLeastSquare
            ? "The squares of X vanish in float64; scale the data up."
            : "The squares of a column without a penalty vanish in float64; scale it up.");
}

}  // namespace banditcd
