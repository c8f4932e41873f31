// The logistic kernels for AVX-512. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include "kernels/logistic_loops.hpp"

namespace banditcd {

const LogisticKernels avx512_logistic = kLogisticLoops;

}  // namespace banditcd
#endif
