// The arrays of a fit beside X: response, row weights, penalty weights and bounds.
#pragma once
#include "bind/arrays.hpp"
#include "solve/fit_data.hpp"

namespace banditcd::bind {

// Borrowed from NumPy and kept alive. No y: it comes with each solve (several responses).
struct FitArrays {
  OptionalVector y, sample_weight, penalty_weights, lower, upper;
  bool intercept = false;

  // The view of a matrix of this shape, sizes checked.
  FitData check(std::size_t rows, std::size_t cols) const {
    FitData out;
    out.y = optional_data(y, rows, "y needs one value per row of X");
    out.sample_weight =
        optional_data(sample_weight, rows, "sample_weight needs one value per row of X");
    out.penalty_weight =
        optional_data(penalty_weights, cols, "penalty_weights needs one value per column of X");
    out.lower = optional_data(lower, cols, "lower needs one value per column of X");
    out.upper = optional_data(upper, cols, "upper needs one value per column of X");
    out.intercept = intercept;
    return out;
  }
  FitData check_with_y(std::size_t rows, std::size_t cols) const {
    require(y.has_value(), "y is missing");
    return check(rows, cols);
  }
  FitData check_with_signs(std::size_t rows, std::size_t cols) const {
    const FitData out = check_with_y(rows, cols);
    for (std::size_t i = 0; i < rows; ++i)
      require(out.y[i] == 1.0 || out.y[i] == -1.0, "every y must be -1 or +1");
    return out;
  }
};

}  // namespace banditcd::bind
