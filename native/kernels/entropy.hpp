// The relative entropy of two Bernoulli variables, without cancellation.
#pragma once
#include <cmath>

namespace banditcd {

// (1 + x) log(1 + x) - x >= 0 for x >= -1, without cancellation.
inline double entropy_excess(double x) {
  if (x <= -1.0) return 1.0;
  if (std::fabs(x) < 1e-4) return x * x * (0.5 - x / 6.0 + x * x / 12.0);
  return (1.0 + x) * std::log1p(x) - x;
}

// KL(q + move || q) of Bernoulli variables; q may be so close to 0 or 1 that the other side
// vanishes.
inline double relative_entropy(double move, double q) {
  if (move == 0.0) return 0.0;
  const double inside = q > 0.0 ? q * entropy_excess(move / q) : 0.0;
  const double outside = q < 1.0 ? (1.0 - q) * entropy_excess(-move / (1.0 - q)) : 0.0;
  return inside + outside;
}

}  // namespace banditcd
