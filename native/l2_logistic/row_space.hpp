// The problem in row space, where there are fewer rows than columns.
//
// With K = X P^-1 X^T = L L^T and P^(-1/2) X^T = Q L^T, Q having orthonormal columns, w =
// P^(-1/2) Q u turns the problem into the same one for the n x n matrix L with a plain penalty
// (Hastie and Tibshirani 2004). The certificate is still made from X at the w that comes back.
#pragma once
#include <memory>
#include <vector>

#include "kernels/memory.hpp"
#include "l2_logistic/passes.hpp"
#include "l2_logistic/problem.hpp"

namespace banditcd::l2_logistic {

class RowSpace {
 public:
  RowSpace(const Problem& problem, Passes& passes);
  // The same rows, labels and weights with L in the place of X.
  Problem problem() const;
  // w of u: L^T c = u, and w = P^-1 X^T c.
  void to_columns(const std::vector<double>& u, std::vector<double>& w, Passes& passes) const;

 private:
  void factor(Watch& watch);

  const Problem& problem_;
  std::size_t stride_;
  std::vector<double> inverse_penalty_;  // empty: ones
  AlignedBuffer L_;                      // by rows, zeros above the diagonal
  std::unique_ptr<RowMatrix> matrix_;
};

}  // namespace banditcd::l2_logistic
