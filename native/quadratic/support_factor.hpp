// The Cholesky factor of the Gram matrix of a support that changes little from one step to the
// next: columns that leave are removed and columns that enter are appended, at the cost of a square
// instead of a cube (Gill, Golub, Murray and Saunders, Math. Comp. 28, 1974).
#pragma once
#include <cstdint>
#include <vector>

#include "kernels/cholesky.hpp"
#include "quadratic/quadratic.hpp"

namespace banditcd {

class SupportFactor {
 public:
  // The next factorization is of another matrix.
  void forget() { valid_ = false; }
  // What factoring these coordinates takes, in nanoseconds, by the cheaper of the two ways.
  double cost(std::size_t size, std::size_t changes) const;
  // Coordinates that differ between the factored set and the non-zeros of x; size if unknown.
  std::size_t changes(const Quadratic& problem, std::size_t support) const;
  // Factors G + ridge diag(G) + diag(m) on these coordinates (ascending). False if a pivot falls
  // below the tolerance; then nothing is known.
  bool factor(const Quadratic& problem, const std::vector<std::size_t>& wanted, double ridge,
              Watch& watch);
  // Whether the factored matrix has a ridge, and how many columns it lost or got since.
  bool ridged() const { return valid_ && ridge_ > 0.0; }
  std::size_t updates() const { return updates_; }
  // Solves for b in the order of the coordinates wanted last.
  void solve(std::vector<double>& b);

 private:
  bool start(const Quadratic& problem, Watch& watch);
  bool update(const Quadratic& problem);
  double diagonal(const Quadratic& problem, std::size_t j) const;

  bool valid_ = false;
  double ridge_ = 0.0;
  std::size_t updates_ = 0;
  std::vector<std::size_t> wanted_;
  std::vector<std::size_t> order_;   // coordinates in the order of the factor
  std::vector<std::int32_t> place_;  // the place of a coordinate in it, or -1
  std::vector<char> stays_;
  std::vector<double> ordered_;
  Cholesky cholesky_;
};

}  // namespace banditcd
