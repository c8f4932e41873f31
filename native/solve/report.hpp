// The report of a solve, the same for every solver: why it stopped, what is proved, what it cost.
//
// Values are in the units of the solver's objective (sums, not means).
#pragma once
#include <cmath>
#include <cstddef>
#include <string>

#include "solve/certificate.hpp"
#include "solve/watch.hpp"

namespace banditcd {

enum class Status {
  kConverged,
  kMaxIter,
  kMaxSeconds,
  kInterrupted,
  kStalled,
  kUncertified,  // no finite duality gap is known
};

constexpr const char* status_name(Status status) {
  constexpr const char* names[] = {"converged",   "max_iter", "max_seconds",
                                   "interrupted", "stalled",  "uncertified"};
  return names[static_cast<int>(status)];
}

inline Status status_of(const Stopped& stop) {
  return stop.reason == StopReason::kDeadline ? Status::kMaxSeconds : Status::kInterrupted;
}

// Seconds by kind of work.
struct Phases {
  double pass = 0.0, gram = 0.0, pool = 0.0, residual = 0.0;
};

struct Report {
  Status status = Status::kStalled;
  std::string regime = "null";  // the strategy that ran, by name
  Certificate certificate;
  double target = 0.0, seconds = 0.0, passes = 0.0;
  double work = 0.0;  // in nanoseconds of the price list, where it is counted
  double intercept = 0.0;
  std::size_t iterations = 0, pool_size = 0, support = 0;
  // Of the solvers on a pool, for tests and measurements.
  std::size_t epochs = 0, newtons = 0;
  bool rough = false;  // whether the Gram matrix is one in single precision
  Phases phases;

  // Infinities prove nothing, whatever they compare to.
  bool accepted() const {
    return std::isfinite(certificate.gap) && std::isfinite(target) &&
           std::isfinite(certificate.primal) && certificate.gap <= target;
  }
  // Adds what belongs to the point that is returned: its intercept, and whether anything is proved.
  void complete(double at_intercept) {
    intercept = at_intercept;
    if (status == Status::kStalled && !std::isfinite(certificate.gap))
      status = Status::kUncertified;
  }
};

}  // namespace banditcd
