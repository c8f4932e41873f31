// Tiles of 8 x 3 inner products for AVX-512. Called only after the CPU was asked (dispatch.cpp).
#ifdef BANDITCD_X86
#include "kernels/tiles_wide.hpp"
#include "kernels/wide_avx512.hpp"

namespace banditcd {

const TileKernel avx512_tile = tile_kernel_of<EightDoubles, 3>();

}  // namespace banditcd
#endif
