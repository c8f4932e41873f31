// Every CPU with AVX2 counts the bits of a word in one instruction. Called only after it was asked.
#ifdef BANDITCD_X86
#include "kernels/bits.hpp"

namespace banditcd {

const BitKernel avx2_bits = {0.4, shared_by_words};

}  // namespace banditcd
#endif
