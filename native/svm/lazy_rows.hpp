// Rows that need not be read: the lazy bound of every row of a problem, from snapshots of w.
//
// A row evaluated at w_s, with its margin a distance `slack` inside a region where the row does not
// matter, is still inside at w if |z_i| |w - w_s| < slack. (The snapshots of solve/snapshots.hpp
// are residuals up to a factor, and bound correlations.)
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "svm/problem.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

class LazyRows {
 public:
  explicit LazyRows(const Problem& problem)
      : slack_(problem.size(), 0.0),
        norm_(problem.size()),
        seen_(problem.size(), 0),
        dim_(problem.dim()),
        places_(dim_ > kWideColumns ? kSnapshotsWide : kSnapshots),
        distance_(places_, 0.0) {
    for (std::size_t t = 0; t < norm_.size(); ++t) norm_[t] = std::sqrt(problem.square[t]);
  }

  // Rows are evaluated at w from now on. Those that may_matter() for their age must have been
  // evaluated again before: the oldest snapshot is given up.
  void remember(const double* w) {
    if (points_.size() < (next_ + 1) * dim_) points_.resize((next_ + 1) * dim_);
    std::copy_n(w, dim_, points_.data() + next_ * dim_);
    now_ = static_cast<Index>(next_);
    used_ = std::max(used_, next_ + 1);
    next_ = (next_ + 1) % places_;
  }
  // Row t does not matter within this distance of its margin; not positive: it matters.
  void set(std::size_t t, double slack) {
    slack_[t] = slack;
    seen_[t] = now_;
  }

  // Questions are about w from now on or, along a step d, about all of the segment to w + d: the
  // distance of a snapshot is that of the farther end.
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
    expiring_ = used_ < places_ ? -1 : static_cast<Index>(next_);
  }
  // Whether row t may matter there, or has to be read because its snapshot is the next to go.
  bool may_matter(std::size_t t) const {
    return slack_[t] <= 0.0 || seen_[t] == expiring_ ||
           norm_[t] * distance_[static_cast<std::size_t>(seen_[t])] >= slack_[t];
  }

 private:
  std::vector<double> slack_, norm_;  // by row
  std::vector<Index> seen_;           // by row: the snapshot that it was evaluated at
  std::size_t dim_, places_, used_ = 0, next_ = 0;
  std::vector<double> points_, distance_;  // by snapshot
  Index now_ = 0, expiring_ = -1;          // the newest snapshot; the next to go, -1 while none is
};

}  // namespace banditcd::svm
