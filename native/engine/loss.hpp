// Smooth parts f(v) = sum_k f_k(v_k): the native twins of problems/losses.
//
// A loss knows one row at a time; what it means for columns is in descent_of.hpp, written once.
#pragma once
#include <cmath>
#include <cstddef>

namespace banditcd::engine {

// (c / 2) (v - t)^2
struct QuadraticLoss {
  static constexpr bool is_quadratic = true;
  const double *weight, *target;
  double gradient(std::size_t k, double v) const { return weight[k] * (v - target[k]); }
  double second(std::size_t k, double) const { return weight[k]; }
};

// c log(1 + exp(-y v))
struct LogisticLoss {
  static constexpr bool is_quadratic = false;
  const double *weight, *target;  // target holds the labels y in {-1, +1}
  double gradient(std::size_t k, double v) const {
    const double margin = target[k] * v;
    // sigma(-margin) without overflow for either sign.
    const double e = std::exp(-std::fabs(margin));
    const double p = margin >= 0.0 ? e / (1.0 + e) : 1.0 / (1.0 + e);
    return -weight[k] * target[k] * p;
  }
  double second(std::size_t k, double v) const {
    const double e = std::exp(-std::fabs(v));
    return weight[k] * e / ((1.0 + e) * (1.0 + e));
  }
};

// max(|v| - lambda, 0)^2 / (2 rho), with weight = 1 / rho and target = lambda
struct ThresholdedLoss {
  static constexpr bool is_quadratic = false;
  const double *weight, *target;
  double gradient(std::size_t k, double v) const {
    const double size = std::fabs(v) - target[k];
    return size > 0.0 ? (v > 0.0 ? size : -size) * weight[k] : 0.0;
  }
  double second(std::size_t k, double v) const {
    return std::fabs(v) > target[k] ? weight[k] : 0.0;
  }
};

}  // namespace banditcd::engine
