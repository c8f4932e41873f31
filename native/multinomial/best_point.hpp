// The point of a solve with the smallest gap; the null model stands in where none was evaluated.
#pragma once
#include "multinomial/point.hpp"
#include "solve/report.hpp"

namespace banditcd::multinomial {

class BestPoint {
 public:
  explicit BestPoint(const Problem& problem) : null_objective_(problem.null_objective()) {}
  double null_objective() const { return null_objective_; }
  double gap() const { return gap_; }
  // The objective of a point, as a share of the null model's.
  double share(const Point& point) const { return point.primal() / null_objective_; }
  void forget() { gap_ = kInfinity; }
  // A start above the null model is not worth going on from: nothing may bend there.
  bool poor_start(const Point& point) const;
  // Keeps the point, and writes its certificate, if its gap is below `slack` times the smallest.
  // Returns whether it is.
  bool offer(const Point& point, double gap, double slack, Report& report);
  // Moves the point there (W and b only).
  void restore(Point& point, Report& report) const;
  // The same at the end of a solve: stalled without any bound means uncertified.
  void finish(Point& point, Report& report) const;

 private:
  double null_objective_, gap_ = kInfinity;
  AlignedVector w_;
  std::vector<double> b_;
};

}  // namespace banditcd::multinomial
