// The pool problem: min 1/2 x^T G x - q^T x + sum_j g_j(x_j), with c = q - G x kept exactly.
#pragma once
#include <cstddef>
#include <vector>

#include "solve/certificate.hpp"
#include "solve/penalty.hpp"
#include "solve/watch.hpp"

namespace banditcd {

// A view: whoever makes it owns the memory. Row j of the symmetric G starts at j * stride.
struct Quadratic {
  std::size_t size = 0, stride = 0;
  const double* gram = nullptr;
  const double* q = nullptr;
  const Penalty* g = nullptr;
  double* x = nullptr;
  double* c = nullptr;
  double square = 0.0;  // |R|^2 = square - x . (q + c)
  bool rough = false;   // G has the digits of single precision only

  const double* row(std::size_t j) const { return gram + j * stride; }
  double curvature(std::size_t j) const { return gram[j * stride + j]; }
  std::size_t support() const;
  double residual2() const;
  double objective() const;  // up to the constant square / 2
  Certificate certificate(Terms& workspace) const;
  void recompute(Watch& watch);                  // c = q - G x
  void move(std::size_t j, double delta) const;  // x_j += delta, c -= delta G_j
};

// One cyclic epoch of exact coordinate minimization. A coordinate that stays at zero costs nothing.
struct Sweep {
  std::size_t moves = 0;
  bool signs_changed = false;
};
Sweep sweep(const Quadratic& problem, Watch& watch);

}  // namespace banditcd
