// A path of penalties in one call: nothing but the loop, so that a caller pays for it once.
#pragma once
#include <vector>

#include "record/solver.hpp"

namespace banditcd::record {

// The penalties of a path and the places for its models: cols() coefficients for each.
struct PathRequest {
  const double* l1;
  const double* l2;
  std::size_t count;
  double* coef;
  double* intercept;
};

// Solves in the order given, warm-started. Ends early only if a solve was interrupted.
std::vector<Report> solve_path(RecordSolver& solver, const PathRequest& request,
                               const Limits& limits);

}  // namespace banditcd::record
