#include "kernels/threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace banditcd {
namespace {

long process_id() {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<long>(getpid());
#else
  return 0;
#endif
}

class Pool {
 public:
  bool try_run(std::size_t threads, std::size_t tasks,
               const std::function<void(std::size_t)>& task) {
    const std::unique_lock<std::mutex> alone(owner_, std::try_to_lock);
    if (!alone.owns_lock()) return false;
    std::size_t helpers = std::min(threads, tasks) - 1;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      helpers = std::min(helpers, start(helpers));
      task_ = &task;
      tasks_ = tasks;
      next_ = 0;
      helpers_ = busy_ = helpers;
      ++generation_;
    }
    wake_.notify_all();
    take_tasks();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (const std::exception_ptr error = std::exchange(error_, nullptr))
      std::rethrow_exception(error);
    return true;
  }
  bool is_of(long process) const { return process_ == process; }

 private:
  // Starts threads until there are `wanted`; returns how many there are. A system that has no more
  // to give is no reason to fail: the caller does the work.
  std::size_t start(std::size_t wanted) {
    try {
      for (; started_ < wanted; ++started_)
        std::thread(&Pool::work, this, started_, generation_).detach();
    } catch (const std::system_error&) {
      return started_;
    }
    return started_;
  }
  // An exception ends the tasks that nobody has taken yet; the caller of try_run gets the first.
  void take_tasks() {
    try {
      for (std::size_t t; (t = next_.fetch_add(1)) < tasks_;) (*task_)(t);
    } catch (...) {
      next_ = tasks_;
      const std::lock_guard<std::mutex> lock(mutex_);
      if (error_ == nullptr) error_ = std::current_exception();
    }
  }
  void work(std::size_t index, std::size_t seen) {
    for (;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return generation_ != seen; });
        seen = generation_;
        if (index >= helpers_) continue;
      }
      take_tasks();
      const std::lock_guard<std::mutex> lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex owner_, mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::atomic<std::size_t> next_{0};
  std::size_t tasks_ = 0, helpers_ = 0, busy_ = 0, started_ = 0, generation_ = 0;
  std::exception_ptr error_;
  const long process_ = process_id();
};

// The pool of this process. Its threads live as long as the process does, so it is never destroyed;
// a forked child, which has none of them, starts a new one and forgets the old. No lock, which a
// child would inherit from a thread that it does not have.
Pool& pool() {
  static std::atomic<Pool*> current{nullptr};
  Pool* found = current.load();
  while (found == nullptr || !found->is_of(process_id())) {
    auto made = std::make_unique<Pool>();
    if (current.compare_exchange_strong(found, made.get())) return *made.release();
  }
  return *found;
}

}  // namespace

void run_tasks(std::size_t threads, std::size_t tasks,
               const std::function<void(std::size_t)>& task) {
  if (threads > 1 && tasks > 1 && pool().try_run(threads, tasks, task)) return;
  for (std::size_t t = 0; t < tasks; ++t) task(t);
}

}  // namespace banditcd
