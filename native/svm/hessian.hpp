// (R + scale * sum over some rows of C_i z_i z_i^T) d = b: a sum that rows are added to and
// subtracted from, and its Cholesky factor in feature space.
//
// R is the identity without the coordinate of a free intercept.
#pragma once
#include <cstddef>

#include "kernels/cholesky.hpp"
#include "svm/changes.hpp"
#include "svm/rows.hpp"

namespace banditcd::svm {

class Hessian {
 public:
  void resize(std::size_t dim);
  void clear();
  // Whether rows may be added from single precision.
  void round(bool allowed) { rough_ = allowed; }
  bool rough() const { return rough_; }
  // Adds (sign 1) or subtracts (-1) rows, their amounts being their costs.
  void add(Rows& rows, const Changes& changes, double sign, Watch& watch);
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
