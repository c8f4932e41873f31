// How a running solve is told to stop: a deadline, and a question asked of the caller now and then.
#pragma once
#include <chrono>
#include <exception>
#include <functional>

namespace banditcd::record {

enum class StopReason { kDeadline, kInterrupted };
struct Stopped : std::exception {
  explicit Stopped(StopReason why) : reason(why) {}
  StopReason reason;
};

// Kernels call check() after at most about a millisecond of work; it throws Stopped. The point and
// the certificate of the last finished bin survive, because bins work on copies.
class Watch {
 public:
  using Clock = std::chrono::steady_clock;
  Watch(double max_seconds, std::function<bool()> should_stop)
      : start_(Clock::now()),
        max_seconds_(max_seconds),
        next_question_(kQuestionPeriod),
        should_stop_(std::move(should_stop)) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void check() {
    const double now = seconds();
    if (now > max_seconds_ && !unhurried_) throw Stopped(StopReason::kDeadline);
    if (!told_to_stop_ && now < next_question_) return;
    next_question_ = now + kQuestionPeriod;
    told_to_stop_ = told_to_stop_ || (should_stop_ && should_stop_());
    if (told_to_stop_) throw Stopped(StopReason::kInterrupted);
  }

  friend class Unhurried;

 private:
  static constexpr double kQuestionPeriod = 0.05;
  Clock::time_point start_;
  double max_seconds_;
  double next_question_;
  std::function<bool()> should_stop_;
  bool told_to_stop_ = false;  // stays true: an inner solve may have taken the first answer
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

}  // namespace banditcd::record
