// BANDITCD_PREFETCH(address): asks for a cache line ahead of its use, where the compiler can.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define BANDITCD_PREFETCH(address) __builtin_prefetch(address)
#else
#define BANDITCD_PREFETCH(address) static_cast<void>(address)
#endif
