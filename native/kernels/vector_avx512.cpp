// The vector kernels for AVX-512. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include "kernels/vector_wide.hpp"
#include "kernels/wide_avx512.hpp"

namespace banditcd {

const VectorKernels avx512_kernels = vector_kernels_of<EightDoubles>("avx512");

}  // namespace banditcd
#endif
