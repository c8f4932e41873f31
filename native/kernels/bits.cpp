#include "kernels/bits.hpp"

#include "kernels/vector.hpp"

namespace banditcd {

const BitKernel portable_bits = {1.2, shared_by_words};

const BitKernel& bit_kernel() {
#ifdef BANDITCD_X86
  if (&kernels() == &avx512_kernels) return counts_wide_bits() ? avx512_bits : avx2_bits;
  if (&kernels() == &avx2_kernels) return avx2_bits;
#endif
  return portable_bits;
}

}  // namespace banditcd
