// Rows that need not be read: the lazy bound of every row of a problem, from snapshots of w.
//
// A row evaluated at w_s, with its margin a distance `slack` inside a region where the row does not
// matter, is still inside at w if |z_i| |w - w_s| < slack. (The snapshots of solve/snapshots.hpp
// are residuals up to a factor, and bound correlations.)
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "svm/problem.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

class LazyRows {
 public:
  explicit LazyRows(const Problem& problem)
      : problem_(&problem),
        slack_(problem.size(), 0.0F),
        seen_(problem.size(), 0),
        dim_(problem.dim()),
        places_(places(problem)),
        square_distance_(places_, 0.0) {}

  // Rows are evaluated at w from now on. The oldest snapshot is given up: rows that may_matter()
  // for its age must be evaluated before the next relate().
  void remember(const double* w) {
    if (next_ == used_)
      points_.insert(points_.end(), w, w + dim_);
    else
      std::copy_n(w, dim_, points_.data() + next_ * dim_);
    now_ = static_cast<Index>(next_);
    used_ = std::max(used_, next_ + 1);
    next_ = (next_ + 1) % places_;
  }
  // Row t does not matter within this distance of its margin; not positive: it matters.
  void set(std::size_t t, double slack) {
    // In single precision, and not above the slack in double.
    constexpr double down = 1.0 - 0x1p-23, least = 0x1p-120, most = 0x1p120;
    slack_[t] = slack > least ? static_cast<float>(std::min(slack, most) * down) : 0.0F;
    seen_[t] = static_cast<std::uint8_t>(now_);
  }

  // Questions are about w from now on or, along a step d, about all of the segment to w + d: the
  // distance of a snapshot is that of the farther end.
  void relate(const double* w, const double* d = nullptr) {
    for (std::size_t s = 0; s < used_; ++s) {
      const double* point = points_.data() + s * dim_;
      const double square = d == nullptr ? square_distance(w, point) : farther_end(w, d, point);
      // Rounding of margins and squares is far below this share of the norms involved.
      square_distance_[s] = square * (1.0 + 1e-7);
    }
    expiring_ = used_ < places_ ? -1 : static_cast<Index>(next_);
  }
  // Whether row t may matter there, or has to be read because its snapshot is the next to go.
  bool may_matter(std::size_t t) const {
    const auto slack = static_cast<double>(slack_[t]);
    return slack <= 0.0 || seen_[t] == expiring_ ||
           problem_->square(t) * square_distance_[seen_[t]] >= slack * slack;
  }

 private:
  // Where rows have few entries, a snapshot is as long as many of them, and costs more to compare
  // with than the rows that it saves.
  static std::size_t places(const Problem& problem) {
    const std::size_t most = problem.dim() > kWideColumns ? kSnapshotsWide : kSnapshots;
    const double longs = problem.rows->stored().entries() / static_cast<double>(problem.dim());
    return std::clamp(static_cast<std::size_t>(longs), kSnapshotsLeast, most);
  }
  // Four sums: a single one would wait for itself at every coordinate.
  double square_distance(const double* w, const double* point) const {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t j = 0;
    for (; j + 4 <= dim_; j += 4)
      for (std::size_t k = 0; k < 4; ++k) {
        const double e = w[j + k] - point[j + k];
        sum[k] += e * e;
      }
    for (; j < dim_; ++j) sum[0] += (w[j] - point[j]) * (w[j] - point[j]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  double farther_end(const double* w, const double* d, const double* point) const {
    double near[2] = {0.0, 0.0}, far[2] = {0.0, 0.0};
    for (std::size_t j = 0; j < dim_; ++j) {
      const double e = w[j] - point[j], f = e + d[j];
      near[j % 2] += e * e;
      far[j % 2] += f * f;
    }
    return std::max(near[0] + near[1], far[0] + far[1]);
  }

  const Problem* problem_;
  std::vector<float> slack_;        // by row, rounded down
  std::vector<std::uint8_t> seen_;  // by row: the snapshot that it was evaluated at
  std::size_t dim_, places_, used_ = 0, next_ = 0;
  std::vector<double> points_, square_distance_;  // by snapshot
  Index now_ = 0, expiring_ = -1;  // the newest snapshot; the next to go, -1 while none is
};

}  // namespace banditcd::svm
