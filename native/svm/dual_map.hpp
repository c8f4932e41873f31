// The dual variable of a row as a function of its margin m, two pieces of which are flat:
//
//   squared hinge: a(m) = 2 C (g - m)+                      free = {m < g}
//   hinge:         a(m) = clip(center + s C (g - m), 0, C)  free = {0 < a < C}
//
// g is the goal of the row (1 in classification), s the proximal weight and the centers the dual
// variables of the last finished proximal step (Rockafellar, 1976).
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "svm/problem.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

class DualMap {
 public:
  explicit DualMap(const Problem& problem)
      : problem_(problem),
        hinge_(problem.loss == Loss::kHinge),
        center_(hinge_ ? problem.size() : 0) {}

  // Centers in the middle of their boxes, and the proximal weight at which the rows are free that
  // lie in a band around their goal.
  void start_at_margins(const std::vector<double>& margin) {
    if (hinge_) proximal_ = kBandReach / std::max(width_of_band(margin), kBandLeast);
    for (std::size_t t = 0; t < center_.size(); ++t) center_[t] = 0.5 * problem_.cost(t);
  }
  // The dual variables of a pair become the centers.
  void start_at_duals(const std::vector<double>& a, double proximal) {
    center_ = a;
    proximal_ = proximal;
  }
  // A proximal step is finished: its dual variables become the centers.
  void next_center(const std::vector<double>& a) {
    center_ = a;
    proximal_ *= kProximalGrowth;
  }
  void widen() { proximal_ /= kProximalShrink; }

  const Problem& problem() const { return problem_; }
  bool hinge() const { return hinge_; }
  std::vector<double> take_centers() { return std::move(center_); }
  // a(m) = clip(base - scale C (m - g)): the slope of a free row, and its value at the goal.
  double scale() const { return hinge_ ? proximal_ : 2.0; }
  double base(std::size_t t) const { return hinge_ ? center_[t] : 0.0; }

  // At margin g - u.
  double dual(std::size_t t, double u) const {
    const double cost = problem_.cost(t);
    if (!hinge_) return u > 0.0 ? 2.0 * cost * u : 0.0;
    return std::clamp(center_[t] + proximal_ * cost * u, 0.0, cost);
  }
  bool is_free(std::size_t t, double a, double u) const {
    return hinge_ ? a > 0.0 && a < problem_.cost(t) : u > 0.0;
  }
  // How far the margin of a row that is not free is from where it would be.
  double slack(std::size_t t, double a, double u) const {
    if (!hinge_) return -u;
    const double width = 1.0 / proximal_, share = center_[t] / problem_.cost(t);
    return a <= 0.0 ? -u - share * width : u - (1.0 - share) * width;
  }

 private:
  // The distance from their goals within which the rows of the band lie; at that distance they are
  // strictly inside the box, so that they are free. The centers are not chosen yet: their place
  // holds the distances.
  double width_of_band(const std::vector<double>& margin) {
    std::vector<double>& distance = center_;
    const std::size_t n = problem_.size();
    for (std::size_t t = 0; t < n; ++t) distance[t] = std::abs(problem_.goal_of(t) - margin[t]);
    const std::size_t rank =
        std::min(n - 1, std::max(n / kBandShare, kBandRowsPerColumn * problem_.dim()));
    std::nth_element(distance.begin(), distance.begin() + static_cast<std::ptrdiff_t>(rank),
                     distance.end());
    return distance[rank];
  }

  const Problem& problem_;
  bool hinge_;
  double proximal_ = 1.0;
  std::vector<double> center_;  // of the hinge
};

}  // namespace banditcd::svm
