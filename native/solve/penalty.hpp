// The separable penalty g(w) = l |w| + (m / 2) w^2 on [lower, upper], with lower <= 0 <= upper.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solve/limits.hpp"

namespace banditcd {

struct Penalty {
  double l = 0.0, m = 0.0, lower = -kInfinity, upper = kInfinity;

  double clip(double w) const { return std::min(std::max(w, lower), upper); }
  double value(double w) const { return l * std::abs(w) + 0.5 * m * w * w; }
  // argmin over w of (h / 2) w^2 - z w + g(w).
  double minimizer(double z, double h) const {
    if (z > l) return std::min((z - l) / (h + m), upper);
    if (z < -l) return std::max((z + l) / (h + m), lower);
    return 0.0;
  }
  // How far u is from the subdifferential at zero, in the directions the bounds leave open.
  double excess(double u) const {
    if (u > l) return upper > 0.0 ? u - l : 0.0;
    if (u < -l) return lower < 0.0 ? -u - l : 0.0;
    return 0.0;
  }
  // The conjugate is infinite beyond +-l in this direction: it limits the dual scaling.
  bool hard(double u) const {
    return m == 0.0 && (u > 0.0 ? upper == kInfinity : lower == -kInfinity);
  }
  // argmax over w of u w - g(w); only asked where the conjugate is finite.
  double conjugate_point(double u) const {
    if (excess(u) == 0.0) return 0.0;
    if (m > 0.0) return clip((u > 0.0 ? u - l : u + l) / m);
    return u > 0.0 ? upper : lower;
  }
  // Infinite where it overflows, as with hardly any L2 part: inf - inf would hide that.
  double conjugate(double u) const {
    const double w = conjugate_point(u);
    if (std::isinf(w)) return kInfinity;
    return w == 0.0 ? 0.0 : u * w - value(w);
  }
  // No penalty and no limit in at least one direction: the dual point must be orthogonal to it.
  bool free() const { return l == 0.0 && m == 0.0 && (upper == kInfinity || lower == -kInfinity); }
};

// Penalties of all columns: two scalars times optional weights, optional bounds.
struct Penalties {
  double l1 = 0.0, l2 = 0.0;
  const double* weight = nullptr;  // nullptr: all ones
  const double* lower = nullptr;   // nullptr: none
  const double* upper = nullptr;

  Penalty at(std::size_t j) const {
    const double w = weight ? weight[j] : 1.0;
    return {l1 * w, l2 * w, lower ? lower[j] : -kInfinity, upper ? upper[j] : kInfinity};
  }
  double threshold(std::size_t j) const { return weight ? l1 * weight[j] : l1; }
  // A conjugate that is infinite beyond the threshold, for every column.
  bool plain() const { return l2 == 0.0 && !lower && !upper; }
  // Whether the bounds let w_j leave zero in the direction of u.
  bool opens(std::size_t j, double u) const {
    return u > 0.0 ? !(upper && upper[j] == 0.0) : !(lower && lower[j] == 0.0);
  }
  bool excluded(std::size_t j) const {
    return (weight && weight[j] == kInfinity) ||
           (lower && upper && lower[j] == 0.0 && upper[j] == 0.0);
  }
};

}  // namespace banditcd
