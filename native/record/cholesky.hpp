// Cholesky factorization H = L L^T of a dense symmetric matrix, left-looking by blocks.
#pragma once
#include <cstddef>

#include "record/interrupt.hpp"
#include "record/memory.hpp"

namespace banditcd::record {

// Row i of the lower triangle starts at row(i); rows are padded to whole lanes.
class Cholesky {
 public:
  void resize(std::size_t size);
  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }
  double* row(std::size_t i) { return factor_.data() + i * stride_; }
  const double* row(std::size_t i) const { return factor_.data() + i * stride_; }

  // Replaces the lower triangle by L. False if a pivot falls below tolerance * H_jj.
  bool factor(double tolerance, Watch& watch);
  // Solves L L^T x = b in place.
  void solve(double* b) const;

 private:
  bool factor_diagonal(std::size_t first, std::size_t last, double tolerance);
  void invert_diagonal(std::size_t first, std::size_t last);
  void scale_below(std::size_t first, std::size_t last);

  std::size_t size_ = 0, stride_ = 0, block_ = 0;
  AlignedBuffer factor_, original_diagonal_, inverse_, panel_;
};

}  // namespace banditcd::record
