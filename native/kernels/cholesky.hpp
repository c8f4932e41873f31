// Cholesky factorization H = L L^T of a dense symmetric matrix, left-looking by blocks.
#pragma once
#include <cstddef>
#include <vector>

#include "kernels/memory.hpp"
#include "solve/watch.hpp"

namespace banditcd {

// Row i of the lower triangle starts at row(i); rows are padded to whole lanes.
class Cholesky {
 public:
  // room: rows that may be appended later.
  void resize(std::size_t size, std::size_t room = 0);
  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }
  double* row(std::size_t i) { return factor_.data() + i * stride_; }
  const double* row(std::size_t i) const { return factor_.data() + i * stride_; }

  // Replaces the lower triangle by L. False if a pivot falls below tolerance * H_jj.
  bool factor(double tolerance, Watch& watch);
  // Solves L L^T x = b in place.
  void solve(double* b) const;

  // Rows there is room for.
  std::size_t room() const { return room_; }
  // H with one more row and column, whose lower part is in row(size()). False as in factor().
  bool append(double tolerance);
  // H without row and column k: the part of L below becomes the factor of L L^T + v v^T, v being
  // the column that leaves.
  void remove(std::size_t k);

 private:
  bool factor_diagonal(std::size_t first, std::size_t last, double tolerance);
  void invert_diagonal(std::size_t first, std::size_t last);
  void scale_below(std::size_t first, std::size_t last);
  void rotate_row(std::size_t i, std::size_t first, double carried);

  std::size_t size_ = 0, stride_ = 0, block_ = 0, room_ = 0;
  AlignedBuffer factor_, original_diagonal_, inverse_, panel_;
  std::vector<double> cosine_, sine_;  // of the rotations of a removal
};

}  // namespace banditcd
