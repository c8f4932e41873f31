// StingyCD's test for updates that are provably zero (see updates/exact.py).
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/descent.hpp"

namespace banditcd::engine {

// Against a reference gradient w_ref with known u_ref: the squared distance q = ||w - w_ref||^2 in
// the metric 1/c changes by a move delta on i by 2 delta (u_ref_i - u_i) + delta^2 h_i, so the test
// costs O(1). A reference costs a pass: it is renewed when failed tests have cost as much.
class Skipper {
 public:
  void forget() {
    ready_ = false;
    spent_ = 0;
  }

  bool is_zero(Descent& descent, std::size_t i) {
    if (spent_ >= descent.matrix_entries()) renew(descent);
    if (descent.x()[i] != 0.0) return false;
    double low, lam;
    descent.penalty().subdifferential(i, 0.0, &low, &lam);  // [-lambda, lambda] inside the box
    if (std::isinf(low) || std::isinf(lam)) return false;
    if (ready_) {
      const double reach = std::sqrt((distance_ + noise_) * descent.h()[i]);
      if (reach * (1.0 + kSlack) < lam * (1.0 - kSlack) - std::fabs(u_[i])) return true;
    }
    spent_ += descent.column_entries(i);
    return false;
  }

  void moved(std::size_t i, double delta, double u, double h) {
    if (!ready_) return;
    const double cross = 2.0 * delta * (u_[i] - u), square = delta * delta * h;
    distance_ += cross + square;
    if (distance_ < 0.0) distance_ = 0.0;
    noise_ += 1e-15 * (std::fabs(cross) + square + distance_);
  }

 private:
  void renew(Descent& descent) {
    u_.resize(descent.size());
    descent.correlations(u_.data());
    distance_ = noise_ = 0.0;
    spent_ = 0;
    ready_ = true;
  }

  static constexpr double kSlack = 1e-9;
  std::vector<double> u_;
  double distance_ = 0.0, noise_ = 0.0;
  std::uint64_t spent_ = 0;  // entries read since the last renewal because a test failed
  bool ready_ = false;
};

}  // namespace banditcd::engine
