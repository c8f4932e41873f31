#include "engine/accelerated.hpp"

#include <chrono>

namespace banditcd::engine {
namespace {

// The clock costs as much as a short step: look at it after this much work only.
constexpr std::uint64_t kEntriesPerLook = 20000;
constexpr std::size_t kStepsPerLook = 64;

}  // namespace

std::size_t Accelerated::run(std::size_t steps, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::uint64_t next_look = entries_ + kEntriesPerLook;
  for (std::size_t t = 0; t < steps; ++t) {
    step();
    if (entries_ >= next_look || t % kStepsPerLook == kStepsPerLook - 1) {
      if (std::chrono::duration<double>(Clock::now() - began).count() >= seconds) return t + 1;
      next_look = entries_ + kEntriesPerLook;
    }
  }
  return steps;
}

}  // namespace banditcd::engine
