// The objective along the segment of a Newton step, and the exact search on it.
#pragma once
#include <vector>

#include "svm/dual_map.hpp"
#include "svm/live_rows.hpp"

namespace banditcd::svm {

// The derivative at w + t d: slope + t curvature - sum over live rows of a(m + t q) q, q the slopes
// of the margins. The dual variables are clip(base - t scale cost q, 0, upper). Those that change
// between the ends are put into arrays, unless the search ends at t = 1 at once.
class Segment {
 public:
  // Of the whole objective at t = 0: its derivative along d, and the second one of 1/2 |w|^2.
  struct Start {
    double slope, curvature;
  };
  // a: dual variables of all rows at w.
  Segment(const Start& start, const DualMap& map, const LiveRows& rows,
          const std::vector<double>& a);
  // The minimizer on (0, 1], given the derivative at 0, which is negative, and the share of it
  // that is flat. Never beyond 1: rows that are not live are only proven flat up to there.
  double minimizer(double first, double flat);

 private:
  template <class Use>
  void each_moving(const Use& use) const;
  void gather();
  double derivative(double t) const;

  const DualMap& map_;
  const LiveRows& rows_;
  double slope_, curvature_;
  double last_ = 0.0;  // the derivative at 1
  std::size_t moving_ = 0;
  std::vector<Index> which_;  // rows that change, by their place in live()
  std::vector<double> base_;
};

}  // namespace banditcd::svm
