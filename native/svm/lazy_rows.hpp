// Rows that need not be read: the lazy bound of every row of a problem.
#pragma once
#include <cmath>
#include <vector>

#include "svm/problem.hpp"
#include "svm/row_snapshots.hpp"

namespace banditcd::svm {

class LazyRows {
 public:
  explicit LazyRows(const Problem& problem)
      : slack_(problem.size(), 0.0),
        norm_(problem.size()),
        seen_(problem.size(), 0),
        snapshots_(problem.dim()) {
    for (std::size_t t = 0; t < norm_.size(); ++t) norm_[t] = std::sqrt(problem.square[t]);
  }

  // Questions are about w from now on or, along a step d, about all of the segment to w + d.
  void relate(const double* w, const double* d = nullptr) {
    snapshots_.relate(w, d);
    expiring_ = snapshots_.expiring();
  }
  // Whether row t may matter there, or has to be read because its snapshot is the next to go.
  bool may_matter(std::size_t t) const {
    return slack_[t] <= 0.0 || seen_[t] == expiring_ ||
           norm_[t] * snapshots_.distance(seen_[t]) >= slack_[t];
  }
  // Rows are evaluated at w from now on.
  void remember(const double* w) { now_ = snapshots_.remember(w); }
  // Row t does not matter within this distance of its margin; not positive: it matters.
  void set(std::size_t t, double slack) {
    slack_[t] = slack;
    seen_[t] = now_;
  }

 private:
  using Place = RowSnapshots::Place;
  std::vector<double> slack_, norm_;
  std::vector<Place> seen_;
  RowSnapshots snapshots_;
  Place now_ = 0, expiring_ = -1;
};

}  // namespace banditcd::svm
