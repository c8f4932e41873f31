// The logistic loss over a whole vector of margins, without overflow and without branches.
//
// With t = exp(-|m|): loss log(1 + exp(-m)) = max(-m, 0) + log1p(t), probability of the wrong
// class q = 1 / (1 + exp(m)), curvature q (1 - q) = t / (1 + t)^2. Relative errors of t, q and the
// loss are a few units in the last place for |m| <= 708; beyond, t is held at exp(-708), so q and
// the loss stay below 4e-308 where the true values are smaller still.
#pragma once
#include <cstddef>

namespace banditcd {

struct LogisticKernels {
  // q[i] = 1 / (1 + exp(m[i])) and loss[i] = log(1 + exp(-m[i])).
  void (*loss)(const double* m, std::size_t n, double* q, double* loss);
  // q[i] alone, about half the work.
  void (*probability)(const double* m, std::size_t n, double* q);
};

// The kernels that belong to the vector kernels in use (kernels/vector.hpp).
const LogisticKernels& logistic_kernels();

extern const LogisticKernels portable_logistic;
#ifdef BANDITCD_X86
extern const LogisticKernels avx2_logistic;
extern const LogisticKernels avx512_logistic;
#endif

}  // namespace banditcd
