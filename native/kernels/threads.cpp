#include "kernels/threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

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
    const std::size_t helpers = std::min(threads, tasks) - 1;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      while (started_ < helpers) {
        std::thread(&Pool::work, this, started_, generation_).detach();
        ++started_;
      }
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
    return true;
  }

 private:
  void take_tasks() {
    for (std::size_t t; (t = next_.fetch_add(1)) < tasks_;) (*task_)(t);
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
};

// The pool of this process. Its threads live as long as the process does, so it is never destroyed;
// a forked child, which has none of them, starts a new one and forgets the old.
Pool& pool() {
  static std::mutex guard;
  static Pool* current = nullptr;
  static long owner = 0;
  const std::lock_guard<std::mutex> lock(guard);
  if (current == nullptr || owner != process_id()) {
    current = new Pool;
    owner = process_id();
  }
  return *current;
}

}  // namespace

void run_tasks(std::size_t threads, std::size_t tasks,
               const std::function<void(std::size_t)>& task) {
  if (threads > 1 && tasks > 1 && pool().try_run(threads, tasks, task)) return;
  for (std::size_t t = 0; t < tasks; ++t) task(t);
}

}  // namespace banditcd
