// Native work without the GIL that can be interrupted: the one way from Python into a solver.
//
// The main thread asks Python for pending signals. Other threads cannot: they are told by the flag
// of their parallel section (StopFlag), which the main thread raises when it leaves the section
// early, so that they need not take the GIL in the middle of their work.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

#include "bind/gil.hpp"
#include "solve/watch.hpp"

namespace banditcd::bind {

namespace nb = nanobind;

// A flag that all threads of a parallel section look at.
class StopFlag {
 public:
  void raise() { raised_.store(true, std::memory_order_relaxed); }
  bool raised() const { return raised_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> raised_{false};
};

// The flag of the calling thread; null outside parallel sections.
inline std::shared_ptr<StopFlag>& thread_flag() {
  thread_local std::shared_ptr<StopFlag> flag;
  return flag;
}

// Runs work(limits), whose limits carry the interrupt. Raises KeyboardInterrupt if that was told to
// stop, whatever the work made of it, and TimeoutError if the work let a deadline through.
template <class Work>
auto interruptible(Limits limits, Work&& work) {
  const std::shared_ptr<StopFlag> flag = thread_flag();
  GilReleased* gil = nullptr;
  bool told = false;
  Interrupt interrupt([&] { return told = flag ? flag->raised() : gil->has_signal(); });
  limits.interrupt = &interrupt;
  const auto raise_if_told = [&] {
    if (!told) return;
    if (flag) PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  };
  // Quick calls in a row would never ask: a section that was left ends at the next of them.
  told = flag && flag->raised();
  raise_if_told();
  const auto released = [&] {
    GilReleased release;
    gil = &release;
    return work(std::as_const(limits));
  };
  try {
    if constexpr (std::is_void_v<decltype(released())>) {
      released();
      raise_if_told();
    } else {
      auto result = released();
      raise_if_told();
      return result;
    }
  } catch (const Stopped&) {
    raise_if_told();
    PyErr_SetString(PyExc_TimeoutError, "the time limit was reached");
    throw nb::python_error();
  }
}

// The same for work that only needs a watch.
template <class Work>
auto watched(double max_seconds, Work&& work) {
  Limits limits;
  limits.max_seconds = max_seconds;
  return interruptible(limits, [&](const Limits& inner) {
    Watch watch(inner);
    return work(watch);
  });
}

}  // namespace banditcd::bind
