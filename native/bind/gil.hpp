// The GIL released for the time of native work, by threads that may outlive the interpreter.
//
// Until Python 3.14 a thread that asks for the GIL of an interpreter that is shutting down is ended
// by pthread_exit, and where that unwinds the stack (glibc) it meets a destructor, which must not
// throw: the process aborts ("terminate called without an active exception"). Here such a thread
// waits for the end of the process instead, as Python 3.14 lets it do.
#pragma once
#include <Python.h>

#include <chrono>
#include <thread>

namespace banditcd::bind {

class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() { take_back(); }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

  // Whether Python has a signal for us, in the thread that released the GIL.
  bool has_signal() {
    take_back();
    const bool signal = PyErr_CheckSignals() != 0;
    state_ = PyEval_SaveThread();
    return signal;
  }

 private:
  void take_back() noexcept {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {  // not an exception: the thread is being ended, and must not get further
      for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }

  PyThreadState* state_;
};

}  // namespace banditcd::bind
