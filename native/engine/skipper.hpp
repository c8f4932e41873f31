// StingyCD's test for updates that are provably zero (see updates/exact.py).
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/descent.hpp"

namespace banditcd {

// Against a reference gradient w_ref with known u_ref: the squared distance q = ||w - w_ref||^2 in
// the metric 1/c changes by a move delta on i by 2 delta (u_ref_i - u_i) + delta^2 h_i, so the test
// costs O(1). The reference is renewed by one pass every epoch.
class Skipper {
 public:
  void forget() { left_ = 0; }

  bool is_zero(Descent& descent, std::size_t i) {
    if (left_ == 0) {
      descent.correlations(u_);
      distance_ = 0.0;
      noise_ = 0.0;
      left_ = descent.size();
    }
    --left_;
    if (descent.x()[i] != 0.0) return false;
    double low, lam;
    descent.penalty().subdifferential(i, 0.0, &low, &lam);  // [-lambda, lambda] inside the box
    if (std::isinf(low) || std::isinf(lam)) return false;
    const double reach = std::sqrt((distance_ + noise_) * descent.h()[i]);
    return reach * (1.0 + kSlack) < lam * (1.0 - kSlack) - std::fabs(u_[i]);
  }

  void moved(std::size_t i, double delta, double u, double h) {
    if (left_ == 0) return;  // no reference to be away from: the next test makes one
    const double cross = 2.0 * delta * (u_[i] - u), square = delta * delta * h;
    distance_ += cross + square;
    if (distance_ < 0.0) distance_ = 0.0;
    noise_ += 1e-15 * (std::fabs(cross) + square + distance_);
  }

 private:
  static constexpr double kSlack = 1e-9;
  std::vector<double> u_;
  double distance_ = 0.0, noise_ = 0.0;
  std::size_t left_ = 0;
};

}  // namespace banditcd
