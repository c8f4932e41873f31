// A question to the caller, "shall this stop?", asked about twenty times a second.
//
// The first yes is remembered: a solve inside a solve, and everything after it, gets the same
// answer without asking again. One Interrupt serves a whole call (a path, a start from a sample),
// so that many short solves in a row are interrupted as soon as one long one.
#pragma once
#include <chrono>
#include <functional>
#include <utility>

namespace banditcd {

class Interrupt {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Interrupt(std::function<bool()> ask)
      : ask_(std::move(ask)), next_question_(Clock::now() + kPeriod) {}

  bool told(Clock::time_point now) {
    if (told_ || now < next_question_) return told_;
    next_question_ = now + kPeriod;
    told_ = ask_();
    return told_;
  }

 private:
  static constexpr std::chrono::milliseconds kPeriod{50};
  std::function<bool()> ask_;
  Clock::time_point next_question_;
  bool told_ = false;
};

}  // namespace banditcd
