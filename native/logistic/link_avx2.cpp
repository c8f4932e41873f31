// The logistic kernels for AVX2 and FMA. Called only after the CPU was asked
// (kernels/dispatch.cpp).
#ifdef BANDITCD_X86
#include "logistic/link_loops.hpp"

namespace banditcd::logistic {

const LinkKernels avx2_link = {evaluate_loop, divergence_loop};

}  // namespace banditcd::logistic
#endif
