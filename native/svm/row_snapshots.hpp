// Weights of earlier bins, and how far from them the present ones are: what makes the lazy bound.
//
// A row evaluated at w_s, with its margin a distance `slack` inside a region where the row does not
// matter, is still inside at w if |z_i| |w - w_s| < slack: it need not be read. (The snapshots of
// solve/snapshots.hpp are residuals up to a factor, and bound correlations.)
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "svm/strategy.hpp"

namespace banditcd::svm {

class RowSnapshots {
 public:
  using Place = std::int32_t;

  explicit RowSnapshots(std::size_t dim)
      : dim_(dim),
        places_(dim > kWideColumns ? kSnapshotsWide : kSnapshots),
        distance_(places_, 0.0) {}
  // Remembers a point. Rows that belong to expiring() must have been evaluated again before.
  Place remember(const double* w) {
    const std::size_t place = next_;
    if (points_.size() < (place + 1) * dim_) points_.resize((place + 1) * dim_);
    std::copy_n(w, dim_, points_.data() + place * dim_);
    next_ = (next_ + 1) % places_;
    used_ = std::max(used_, place + 1);
    return static_cast<Place>(place);
  }
  // The place that the next remember() overwrites; -1 while there is room.
  Place expiring() const { return used_ < places_ ? -1 : static_cast<Place>(next_); }
  // Distances of every snapshot to w or, along a step d, to the farther end of the segment.
  void relate(const double* w, const double* d = nullptr) {
    for (std::size_t s = 0; s < used_; ++s) {
      const double* point = points_.data() + s * dim_;
      double near = 0.0, far = 0.0;
      for (std::size_t j = 0; j < dim_; ++j) {
        const double e = w[j] - point[j], f = d == nullptr ? e : e + d[j];
        near += e * e;
        far += f * f;
      }
      // Rounding of a margin is far below this share of the norms involved.
      distance_[s] = std::sqrt(std::max(near, far)) * (1.0 + 1e-12);
    }
  }
  double distance(Place place) const { return distance_[static_cast<std::size_t>(place)]; }

 private:
  std::size_t dim_, places_, used_ = 0, next_ = 0;
  std::vector<double> points_, distance_;
};

}  // namespace banditcd::svm
