// Anderson extrapolation of coordinate descent: the affine combination of the last iterates whose
// combined step is smallest (Bertrand and Massias, 2021). Correlations are affine in x, so they
// are combined with the same weights and nothing is recomputed.
#pragma once
#include <cstddef>
#include <vector>

#include "quadratic/quadratic.hpp"

namespace banditcd {

// z with sum 1 that minimizes |sum_t z_t (x_{t+1} - x_t)| over kMemory + 1 stored iterates.
bool anderson_weights(const std::vector<double>* x, std::size_t size, double* z);

class Anderson {
 public:
  static constexpr std::size_t kMemory = 5;

  void clear() { stored_ = 0; }
  // Stores the iterate after an epoch; with kMemory + 1 of them, extrapolates and keeps the result
  // if it lowers the objective. Returns whether the point was replaced.
  bool observe(const Quadratic& problem);

 private:
  std::size_t stored_ = 0;
  std::vector<double> x_[kMemory + 1], c_[kMemory + 1], trial_x_, trial_c_;
};

}  // namespace banditcd
