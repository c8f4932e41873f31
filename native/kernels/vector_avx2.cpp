// The vector kernels for AVX2 and FMA. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include "kernels/vector_wide.hpp"
#include "kernels/wide_avx2.hpp"

namespace banditcd {

const VectorKernels avx2_kernels = vector_kernels_of<FourDoubles<16>>("avx2");

}  // namespace banditcd
#endif
