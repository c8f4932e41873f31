// The logistic loss and the relative entropy of its probabilities over whole vectors, without
// overflow and without branches; one table of kernels for each instruction set.
//
// For the margin m_i = y_i (z_i + b), with t = exp(-|m|), q = 1 / (1 + exp(m)) is the probability
// of the wrong class:
//   loss       s_i log(1 + exp(-m_i)) = s_i (max(-m_i, 0) + log1p(t))
//   pull       rho_i = s_i y_i q_i, minus the derivative of the loss with respect to z_i
//   curvature  h_i = s_i q_i (1 - q_i) = s_i t / (1 + t)^2
// Relative errors of t, q and the loss are a few units in the last place for |m| <= 708. Beyond, t
// is held at exp(-708), so that q and the loss stay below 4e-308, or is 0 where that is said.
#pragma once
#include <cstddef>

namespace banditcd {

struct Labels {
  const double* y = nullptr;       // -1 or +1
  const double* weight = nullptr;  // s; null means all ones
  std::size_t rows = 0;
};

struct LogisticTotals {
  double loss = 0.0;
  double pull = 0.0;       // sum of rho
  double mistakes = 0.0;   // sum of |rho|
  double curvature = 0.0;  // sum of h
};

// The h of a quadratic model of the loss, where it is not s q (1 - q).
struct CurvatureRule {
  double floor = 0.0;  // h is at least floor * s
  // Whether a misclassified row gets tanh(|m| / 2) / (2 |m|), the curvature of the parabola above
  // the loss that touches it at m and -m (Jaakkola and Jordan, 2000). There the loss is nearly
  // linear, and a model with its true curvature would go far too far.
  bool cautious = false;
};

struct LogisticKernels {
  // q[i] = 1 / (1 + exp(m[i])) and loss[i] = log(1 + exp(-m[i])).
  void (*loss)(const double* m, std::size_t n, double* q, double* loss);
  // q[i] alone, about half the work.
  void (*probability)(const double* m, std::size_t n, double* q);
  // Writes rho and h for the predictor z + b, with h as the rule says; t is 0 beyond |m| = 708.
  LogisticTotals (*evaluate)(const Labels& labels, const double* z, double b,
                             const CurvatureRule& rule, double* rho, double* h);
  // sum_i s_i KL(t q_i || q_i), 0 < t < 1, q_i the probability of the wrong class at z + b: what
  // scaling the dual point rho by t costs.
  double (*scaling_entropy)(const Labels& labels, const double* z, double b, double t);
  // sum_i s_i KL(p_i || q_i) of Bernoulli variables; null weights are all ones.
  double (*relative_entropy)(const double* p, const double* q, const double* weight, std::size_t n);
};

// The kernels that belong to the vector kernels in use (kernels/vector.hpp).
const LogisticKernels& logistic_kernels();

extern const LogisticKernels portable_logistic;
#ifdef BANDITCD_X86
extern const LogisticKernels avx2_logistic;
extern const LogisticKernels avx512_logistic;
#endif

}  // namespace banditcd
