// The kernels of several classes for AVX-512. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include "kernels/class_tiles_wide.hpp"
#include "kernels/wide_avx512.hpp"

namespace banditcd {

const ClassKernels avx512_classes = class_kernels_of<EightDoubles>();

}  // namespace banditcd
#endif
