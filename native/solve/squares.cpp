#include "solve/squares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace banditcd {
namespace {

// Below it a sum of squares has lost digits to the smallest numbers of float64.
constexpr double kLeastSquare = 1e-290;
// Lifts entries as small as numbers get to where products with them are none of the smallest.
constexpr double kLift = 1e150, kGolden = 0.6180339887498949;

// Nobody's squares are that small but of columns without entries, constant ones in a model with an
// intercept, and those asked for. Two looks at X tell them apart: squares that are not centered,
// and sums with weights that no ordinary column is orthogonal to.
bool vanish(const Design& design) {
  std::vector<Index> all(design.cols());
  std::iota(all.begin(), all.end(), Index{0});
  Watch unwatched;
  std::vector<double> rows(design.rows(), 1.0), found(all.size());
  design.weighted_squares(all.data(), all.size(), rows.data(), found.data(), unwatched);
  if (std::any_of(found.begin(), found.end(), [](double s) { return s >= kLeastSquare; }))
    return false;
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = kLift * (1.0 + std::fmod(kGolden * static_cast<double>(i), 1.0));
  design.correlate(all.data(), all.size(), rows.data(), found.data(), unwatched);
  return std::any_of(found.begin(), found.end(), [](double u) { return u != 0.0; });
}

}  // namespace

void check_squares(const Design& design, const std::vector<double>& square) {
  double largest = 0.0;
  bool finite = true;
  for (const double value : square) {
    finite = finite && std::isfinite(value);
    largest = std::max(largest, value);
  }
  if (!finite) throw std::overflow_error("The squares of X overflow float64; scale the data down.");
  if (largest < kLeastSquare && !square.empty() && vanish(design))
    throw std::overflow_error("The squares of X vanish in float64; scale the data up.");
}

}  // namespace banditcd
