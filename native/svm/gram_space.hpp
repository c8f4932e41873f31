// The factor of the Gram matrix of the rows, and the problem over it: fewer features.
//
// With K = X X^T = L L^T the rows of L have the same inner products as the rows of X, so the
// problem over them has n features instead of p, and w = X^T L^-T u for its weights u.
#pragma once
#include <optional>

#include "kernels/cholesky.hpp"
#include "kernels/memory.hpp"
#include "svm/pair.hpp"

namespace banditcd::svm {

class GramSpace {
 public:
  explicit GramSpace(const Problem& problem) : problem_(problem) {}

  // Forms K and its factor; false if K is not positive definite in float64 even with a ridge that
  // is small beside it. Nothing else may be asked then.
  bool build(Watch& watch);
  const Problem& problem() const { return reduced_; }
  // The pair over L with the dual variables of a pair over X, and back.
  Pair reduced(const Pair& pair);
  Pair lifted(const Pair& small);

 private:
  bool factor(Watch& watch);

  const Problem& problem_;
  std::size_t stride_ = 0;
  AlignedBuffer matrix_;  // K, then L
  Cholesky factor_;
  std::optional<Rows> rows_;  // over L
  Problem reduced_;
};

}  // namespace banditcd::svm
