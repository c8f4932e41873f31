// Directions from the Hessian as a matrix, which is factored for each of them: two matrices of
// problem.dim() rows and columns, at most kNewtonColumns of them.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "kernels/memory.hpp"
#include "svm/directions.hpp"

namespace banditcd::svm {

class Hessian final : public Directions {
 public:
  explicit Hessian(const Problem& problem);

  void build_exactly(Watch& watch) override;
  bool direction(double scale, const std::vector<double>& g, std::vector<double>& d,
                 Watch& watch) override;

 private:
  bool may_round() const;
  void clear() override;
  void add(const Changes& rows, double sign, Watch& watch) override;
  bool factor(double scale, Watch& watch);
  double unit_of_bias(double scale) const;

  std::size_t stride_;
  bool rough_;         // rows may be added from single precision
  double unit_ = 1.0;  // of a free intercept, in the factor
  AlignedBuffer sum_;
  Cholesky factor_;
};

}  // namespace banditcd::svm
