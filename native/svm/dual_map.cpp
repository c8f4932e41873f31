#include "svm/dual_map.hpp"

#include <cmath>

namespace banditcd::svm {

void DualMap::start_at_margins(const std::vector<double>& margin) {
  const std::size_t n = problem_.size();
  for (std::size_t t = 0; t < n; ++t) center_[t] = 0.5 * problem_.cost[t];
  if (!hinge_) return;
  std::vector<double> distance(n);
  for (std::size_t t = 0; t < n; ++t) distance[t] = std::abs(problem_.goal_of(t) - margin[t]);
  const std::size_t rank =
      std::min(n - 1, std::max(n / kBandShare, kBandRowsPerColumn * problem_.dim()));
  std::nth_element(distance.begin(), distance.begin() + static_cast<std::ptrdiff_t>(rank),
                   distance.end());
  // Strictly inside the box at that distance, so that the rows there are free.
  proximal_ = kBandReach / std::max(distance[rank], kBandLeast);
}

}  // namespace banditcd::svm
