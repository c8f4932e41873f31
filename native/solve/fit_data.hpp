// The arrays of a fit beside X, borrowed; null pointers mean none.
#pragma once

namespace banditcd {

struct FitData {
  const double* y = nullptr;
  const double* sample_weight = nullptr;
  const double* penalty_weight = nullptr;
  const double* lower = nullptr;
  const double* upper = nullptr;
  bool intercept = false;
};

}  // namespace banditcd
