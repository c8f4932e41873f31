#include "engine/accelerated.hpp"

#include "engine/run_clock.hpp"

namespace banditcd::engine {

std::size_t Accelerated::run(std::size_t steps, double seconds) {
  RunClock clock(seconds, 64, entries_);
  for (std::size_t t = 0; t < steps; ++t) {
    step();
    if (clock.over(t, entries_)) return t + 1;
  }
  return steps;
}

}  // namespace banditcd::engine
