// Preconditioned conjugate gradients (Hestenes and Stiefel 1952).
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace banditcd {

struct LinearSystem {
  std::size_t size = 0;
  std::function<void(const double* v, double* out)> apply;  // out = A v, A positive definite
  // The preconditioner: this, or else a diagonal, where zero means that the coordinate stays.
  std::function<void(const double* r, double* out)> precondition;
  std::vector<double> inverse_diagonal;
};

struct Progress {
  std::size_t products;    // with A
  const double* residual;  // by recursion
  double decrease;         // of x^T A x / 2 - rhs^T x
};

// Improves x until enough(progress) says so; residual = rhs - A x on entry, and the recursively
// updated one on exit. Returns the number of products with A.
std::size_t conjugate_gradients(const LinearSystem& system, double* residual, double* x,
                                const std::function<bool(const Progress&)>& enough);

}  // namespace banditcd
