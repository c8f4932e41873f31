// The time limit of a run. The clock costs as much as a short step: it is looked at after some work
// or a number of steps only.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace banditcd::engine {

class RunClock {
 public:
  RunClock(double seconds, std::size_t steps_per_look, std::uint64_t entries)
      : seconds_(seconds),
        steps_per_look_(steps_per_look),
        next_look_(entries + kEntriesPerLook),
        began_(Clock::now()) {}

  // Whether the time is over after step t, with this many matrix entries touched so far.
  bool over(std::size_t t, std::uint64_t entries) {
    if (entries < next_look_ && t % steps_per_look_ != steps_per_look_ - 1) return false;
    next_look_ = entries + kEntriesPerLook;
    return std::chrono::duration<double>(Clock::now() - began_).count() >= seconds_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kEntriesPerLook = 20000;
  double seconds_;
  std::size_t steps_per_look_;
  std::uint64_t next_look_;
  Clock::time_point began_;
};

}  // namespace banditcd::engine
