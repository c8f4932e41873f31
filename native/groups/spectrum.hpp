// The quadratic of one block, minimized with its penalty: a majorant that is diagonal in a rotated
// basis, as exact as a few Jacobi sweeps make it.
//
// The Gram matrix of p columns is V (D + E) V' with |E| <= e (row sums), so that V (D + e I) V'
// lies above it. The norm of a block does not change with the basis: with h = D + e and z = V'(c +
// H W),
//   min over v of 1/2 sum_i h_i |v_i|^2 - <z, v> + l |v| + m/2 |v|^2
// is v_i = z_i / (h_i + m + l / |v|), where |v| solves one equation in one unknown.
#pragma once
#include <cstddef>
#include <vector>

#include "solve/penalty.hpp"
#include "solve/watch.hpp"

namespace banditcd::groups {

class Spectrum {
 public:
  // gram: p x p, row i at i * stride.
  void find(const double* gram, std::size_t stride, std::size_t p, Watch& watch);

  double largest() const { return largest_; }  // a bound on the eigenvalues
  // x (task k, column i at k * p + i) moves to the minimizer, given c = minus the gradient there.
  // Returns whether it moved; delta is the move.
  bool minimize(const Penalty& g, const double* c, std::size_t tasks, double* x,
                double* delta) const;

 private:
  void rotate(const double* from, std::size_t tasks, double* to) const;
  void rotate_back(const double* from, std::size_t tasks, double* to) const;
  void sweep(std::vector<double>& a);
  double norm_of_minimizer(const Penalty& g, const double* square) const;

  std::vector<double> h_, basis_;  // basis: eigenvector i at i * p; empty: the unit vectors
  double largest_ = 0.0;
  mutable std::vector<double> z_, v_, square_;
};

}  // namespace banditcd::groups
