// The clock of a running solve: it stops at a deadline, or when the caller says so.
#pragma once
#include <exception>

#include "solve/limits.hpp"

namespace banditcd {

enum class StopReason { kDeadline, kInterrupted };
struct Stopped : std::exception {
  explicit Stopped(StopReason why) : reason(why) {}
  StopReason reason;
};

// Kernels call check() after at most about a millisecond of work; it throws Stopped. The point and
// the certificate of the last finished bin survive, because bins work on copies.
class Watch {
 public:
  using Clock = Interrupt::Clock;
  Watch() : Watch(Limits{}) {}
  explicit Watch(const Limits& limits)
      : start_(Clock::now()), max_seconds_(limits.max_seconds), interrupt_(limits.interrupt) {}

  double seconds() const { return since(Clock::now()); }
  void check() {
    if (!interrupt_ && !(max_seconds_ < kInfinity)) return;  // nothing to look for
    const Clock::time_point now = Clock::now();
    if (since(now) > max_seconds_ && !unhurried_) throw Stopped(StopReason::kDeadline);
    if (interrupt_ && interrupt_->told(now)) throw Stopped(StopReason::kInterrupted);
  }
  // Limits of a solve inside this one: what is left of the time, and the same interrupt.
  Limits nested(double tol, double max_iter) const {
    return {tol, max_iter, max_seconds_ - seconds(), interrupt_};
  }

  friend class Unhurried;

 private:
  double since(Clock::time_point now) const {
    return std::chrono::duration<double>(now - start_).count();
  }

  Clock::time_point start_;
  double max_seconds_;
  Interrupt* interrupt_;
  bool unhurried_ = false;
};

// The first pass is finished whatever the deadline: without it there is no point to report.
class Unhurried {
 public:
  explicit Unhurried(Watch& watch) : watch_(watch) { watch_.unhurried_ = true; }
  ~Unhurried() { watch_.unhurried_ = false; }
  Unhurried(const Unhurried&) = delete;
  Unhurried& operator=(const Unhurried&) = delete;

 private:
  Watch& watch_;
};

// Adds the time until its end of life to a counter.
class PhaseTimer {
 public:
  PhaseTimer(const Watch& watch, double& total)
      : watch_(watch), total_(total), start_(watch.seconds()) {}
  ~PhaseTimer() { total_ += watch_.seconds() - start_; }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  const Watch& watch_;
  double& total_;
  double start_;
};

}  // namespace banditcd
