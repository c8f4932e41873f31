// (R + scale * sum over the free rows of C_i z_i z_i^T) d = b: Cholesky in feature space.
//
// The sum follows the free rows: those that enter are added, those that leave are subtracted. R is
// the identity without the coordinate of a free intercept.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "svm/problem.hpp"

namespace banditcd::svm {

class Hessian {
 public:
  void resize(std::size_t dim);
  void clear();
  // Whether rows may be added from single precision.
  void round(bool allowed) { rough_ = allowed; }
  bool rough() const { return rough_; }
  // Rows by their place in the data, with their costs.
  void add(Rows& rows, const std::vector<Index>& ids, const std::vector<double>& cost, double sign,
           Watch& watch);
  // False if the matrix is not positive definite in float64 even with a tiny diagonal added.
  bool factor(double scale, std::size_t penalized, Watch& watch);
  void solve(double* b) const { factor_.solve(b); }

 private:
  std::size_t dim_ = 0, stride_ = 0;
  bool rough_ = false;
  AlignedBuffer sum_;
  Cholesky factor_;
};

}  // namespace banditcd::svm
