#include "logistic/link.hpp"

#include "kernels/vector.hpp"
#include "logistic/link_loops.hpp"

namespace banditcd::logistic {

const LinkKernels portable_link = {evaluate_loop, divergence_loop};

const LinkKernels& link_kernels() {
#ifdef BANDITCD_X86
  if (&kernels() == &avx512_kernels) return avx512_link;
  if (&kernels() == &avx2_kernels) return avx2_link;
#endif
  return portable_link;
}

}  // namespace banditcd::logistic
