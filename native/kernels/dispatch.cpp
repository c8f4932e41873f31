// The choice of kernels that this CPU may run. Built for the baseline instruction set only.
#include <atomic>
#include <cstring>

#include "kernels/vector.hpp"

#if defined(BANDITCD_X86) && defined(_MSC_VER)
#include <immintrin.h>
#include <intrin.h>
#endif

namespace banditcd {
namespace {

#ifdef BANDITCD_X86
#ifdef _MSC_VER
bool cpu_has(unsigned ebx_bits, unsigned long long state_bits) {
  int info[4];
  __cpuid(info, 0);
  if (info[0] < 7) return false;
  __cpuid(info, 1);
  const int osxsave_fma = (1 << 27) | (1 << 12);
  if ((info[2] & osxsave_fma) != osxsave_fma) return false;
  if ((_xgetbv(0) & state_bits) != state_bits) return false;  // the OS must save the registers
  __cpuidex(info, 7, 0);
  return (static_cast<unsigned>(info[1]) & ebx_bits) == ebx_bits;
}
bool has_avx2() { return cpu_has(1u << 5, 0x6); }
bool has_avx512() {
  return cpu_has((1u << 5) | (1u << 16) | (1u << 17) | (1u << 30) | (1u << 31), 0xE6);
}
bool has_vpopcntdq() {
  int info[4];
  __cpuidex(info, 7, 0);
  return (static_cast<unsigned>(info[2]) & (1u << 14)) != 0;
}
#else
bool has_vpopcntdq() { return __builtin_cpu_supports("avx512vpopcntdq"); }
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#endif
#endif

const VectorKernels* widest() {
#ifdef BANDITCD_X86
  if (has_avx512()) return &avx512_kernels;
  if (has_avx2()) return &avx2_kernels;
#endif
  return &portable_kernels;
}

std::atomic<const VectorKernels*> in_use{nullptr};

}  // namespace

const VectorKernels& kernels() {
  const VectorKernels* table = in_use.load(std::memory_order_acquire);
  if (table == nullptr) {
    table = widest();
    in_use.store(table, std::memory_order_release);
  }
  return *table;
}

#ifdef BANDITCD_X86
bool counts_wide_bits() {
  static const bool answer = has_avx512() && has_vpopcntdq();
  return answer;
}
#endif

bool select_kernels(const char* name) {
  const VectorKernels* table = nullptr;
  if (std::strcmp(name, "auto") == 0) table = widest();
  if (std::strcmp(name, "portable") == 0) table = &portable_kernels;
#ifdef BANDITCD_X86
  if (std::strcmp(name, "avx2") == 0 && has_avx2()) table = &avx2_kernels;
  if (std::strcmp(name, "avx512") == 0 && has_avx512()) table = &avx512_kernels;
#endif
  if (table == nullptr) return false;
  in_use.store(table, std::memory_order_release);
  return true;
}

}  // namespace banditcd
