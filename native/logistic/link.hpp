// The logistic loss over all rows at once, without overflow, one table per instruction set.
//
// For the margin m_i = y_i (z_i + b), q_i = 1 / (1 + exp(m_i)) is the probability of a mistake:
//   loss       s_i log(1 + exp(-m_i))
//   pull       rho_i = s_i y_i q_i, minus the derivative of the loss with respect to z_i
//   curvature  h_i = s_i q_i (1 - q_i)
#pragma once
#include <cstddef>

namespace banditcd::logistic {

struct Labels {
  const double* y = nullptr;       // -1 or +1
  const double* weight = nullptr;  // s; null means all ones
  std::size_t rows = 0;
};

struct LinkTotals {
  double loss = 0.0;
  double pull = 0.0;       // sum of rho
  double mistakes = 0.0;   // sum of |rho|
  double curvature = 0.0;  // sum of h
};

struct LinkKernels {
  // Writes rho and h for the predictor z + b. h is at least floor * s: a model of the loss needs
  // some curvature where a row is hopelessly misclassified.
  LinkTotals (*evaluate)(const Labels& labels, const double* z, double b, double floor, double* rho,
                         double* h);
  // sum_i s_i KL(t q_i || q_i), 0 < t < 1: what scaling the dual point by t costs. Never too small.
  double (*divergence)(const Labels& labels, const double* z, double b, double t);
};

extern const LinkKernels portable_link;
#ifdef BANDITCD_X86
extern const LinkKernels avx2_link;
extern const LinkKernels avx512_link;
#endif
// The kernels that belong to the vector kernels in use (kernels/vector.hpp).
const LinkKernels& link_kernels();

}  // namespace banditcd::logistic
