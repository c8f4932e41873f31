// The kernels of several classes for AVX2 and FMA. Called only after the CPU was asked
// (dispatch.cpp).
#ifdef BANDITCD_X86
#include "kernels/class_tiles_wide.hpp"
#include "kernels/wide_avx2.hpp"

namespace banditcd {

const ClassKernels avx2_classes = class_kernels_of<FourDoubles<16>>();

}  // namespace banditcd
#endif
