// Directions by conjugate gradients, which read the free rows once for a product with H: for more
// coordinates than a matrix of all pairs is worth.
//
// They end when the residual is kCgShare of the gradient. The gap is 1/2 |gradient|^2, so a smaller
// residual would pay only if the free rows stayed the same, which they do at the very end. While
// there are too many of them H is too large, and the step too short: the segment reaches kCgReach
// times as far.
#pragma once
#include <vector>

#include "svm/directions.hpp"

namespace banditcd::svm {

class CgDirections final : public Directions {
 public:
  explicit CgDirections(const Problem& problem)
      : Directions(problem), diagonal_(problem.dim(), 0.0) {}
  double flat_slope() const override { return kCgFlatSlope; }
  bool direction(double scale, const std::vector<double>& g, std::vector<double>& d,
                 Watch& watch) override;

 private:
  void clear() override { diagonal_.assign(problem_.dim(), 0.0); }
  void add(const Changes& rows, double sign, Watch& watch) override;
  std::vector<double> inverse_diagonal(double scale) const;

  std::vector<double> diagonal_;  // of the sum
};

}  // namespace banditcd::svm
