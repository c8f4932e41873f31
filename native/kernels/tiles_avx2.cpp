// Tiles of 4 x 3 inner products for AVX2 and FMA. Called only after the CPU was asked
// (dispatch.cpp).
#ifdef BANDITCD_X86
#include "kernels/tiles_wide.hpp"
#include "kernels/wide_avx2.hpp"

namespace banditcd {

const TileKernel avx2_tile = tile_kernel_of<FourDoubles<16>, 3>();

}  // namespace banditcd
#endif
