#include "kernels/logistic_math.hpp"

#include "kernels/logistic_loops.hpp"
#include "kernels/vector.hpp"

namespace banditcd {

const LogisticKernels portable_logistic = kLogisticLoops;

const LogisticKernels& logistic_kernels() {
#ifdef BANDITCD_X86
  if (&kernels() == &avx512_kernels) return avx512_logistic;
  if (&kernels() == &avx2_kernels) return avx2_logistic;
#endif
  return portable_logistic;
}

}  // namespace banditcd
