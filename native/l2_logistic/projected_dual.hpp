// The point's own dual point where columns, or the intercept, are free of penalty.
//
// Those ask <x_j, alpha> = 0 of alpha = y s q. The probabilities are moved along the free columns'
// own Newton steps until that holds; the losses add s_i KL(projected q_i || q_i) to the gap, and
// the penalized columns see the projected point. Beside an intercept the columns are centered, or
// what is rounding of a large mean would pass for rounding of a small spread; and what is left is
// measured against the projected point, not the one before: where the free columns explain
// everything the projection itself is rounding, and proves nothing.
#pragma once
#include <cstddef>
#include <vector>

#include "kernels/cholesky.hpp"
#include "l2_logistic/point.hpp"

namespace banditcd::l2_logistic {

class ProjectedDual {
 public:
  explicit ProjectedDual(const Problem& problem) : problem_(problem) {}
  // At the start of a solve: another lambda may free other columns.
  void forget() { known_ = false; }
  // The gap of the point, whatever is free. At most one pass, and none, with the primal value as
  // the answer, where the target is out of reach.
  double gap(Point& point, double target, Passes& passes);
  // The same with the projection whatever it leads to.
  double certify(const Point& point, Passes& passes);

 private:
  void find_columns(Passes& passes);
  void center();
  bool project(std::vector<double>& q);
  void fill_system(const std::vector<double>& q, std::vector<double>& rhs);
  bool move(std::vector<double>& q, const std::vector<double>& coef);
  double leftover(const Point& point, const std::vector<double>& q) const;

  const Problem& problem_;
  std::vector<std::size_t> index_;
  std::vector<double> columns_;  // copies, one after another; ones for the intercept at the end
  std::vector<double> mean_;     // of the copies, taken out of them beside an intercept
  bool known_ = false, too_many_ = false;
  std::vector<double> curvature_;  // zero for rows that stay at a bound
  Cholesky system_;
};

}  // namespace banditcd::l2_logistic
