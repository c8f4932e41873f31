// Limits of a solve: the accuracy wanted, and what may be spent on it.
#pragma once
#include <limits>

#include "solve/interrupt.hpp"

namespace banditcd {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Limits {
  double tol = 1e-4;         // of the null model's objective
  double max_iter = 1000.0;  // bins, Newton steps or passes, as the solver counts them
  double max_seconds = kInfinity;
  Interrupt* interrupt = nullptr;  // borrowed; null: nobody asks
  double aim = 0.0;                // below tol, which still judges: where the work ends; 0: at tol

  double work_tol() const { return aim > 0.0 ? aim : tol; }
  Limits without_deadline() const { return {tol, max_iter, kInfinity, interrupt, aim}; }
};

}  // namespace banditcd
