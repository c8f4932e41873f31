// The thread pool alone, under the thread sanitizer: test_thread_pool.py compiles and runs it.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/threads.hpp"

namespace {

constexpr std::size_t tasks = 64;

std::atomic<bool> shared{false};  // a task ran on another thread than its caller's

// Gives other threads time to take tasks, however busy the machine is.
void pause(std::thread::id caller) {
  if (std::this_thread::get_id() != caller) shared = true;
  std::this_thread::sleep_for(std::chrono::microseconds(20));
}

void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "%s\n", what);
  std::_Exit(1);
}

// Plain memory, one place for each task: a task run twice, or read before it has ended, is a race.
void check_sum(std::size_t threads) {
  std::vector<std::size_t> places(tasks, 0);
  const std::thread::id caller = std::this_thread::get_id();
  banditcd::run_tasks(threads, tasks, [&](std::size_t t) {
    pause(caller);
    places[t] += t + 1;
  });
  std::size_t sum = 0;
  for (const std::size_t place : places) sum += place;
  expect(sum == tasks * (tasks + 1) / 2, "a task was lost or done twice");
}

void check_exception(std::size_t threads) {
  std::vector<int> places(tasks, 0);
  const std::thread::id caller = std::this_thread::get_id();
  bool caught = false;
  try {
    banditcd::run_tasks(threads, tasks, [&](std::size_t t) {
      pause(caller);
      places[t] = 1;
      if (t % 7 < 4) throw std::runtime_error("task");
    });
  } catch (const std::runtime_error&) {
    caught = true;
  }
  expect(caught, "the exception of a task was lost");
}

void check_nested(std::size_t threads) {
  std::vector<std::size_t> places(tasks, 0);
  const std::thread::id caller = std::this_thread::get_id();
  banditcd::run_tasks(threads, 8, [&](std::size_t outer) {
    pause(caller);
    banditcd::run_tasks(threads, 8, [&](std::size_t inner) { places[8 * outer + inner] = 1; });
  });
  for (const std::size_t place : places) expect(place == 1, "a task within a task was lost");
}

void check_all(std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    check_sum(2 + round % 4);
    check_exception(2 + round % 4);
    check_nested(2 + round % 4);
  }
}

}  // namespace

int main() {
  check_all(50);
  expect(shared, "all tasks ran on one thread: nothing was tested");
  std::vector<std::thread> callers;  // one has the pool, the others work alone
  for (int caller = 0; caller < 4; ++caller) callers.emplace_back(check_all, 50);
  for (std::thread& caller : callers) caller.join();
  const pid_t child = fork();
  if (child == 0) {  // none of the threads are here: a new pool
    check_all(5);
    std::_Exit(0);
  }
  int status = -1;
  expect(waitpid(child, &status, 0) == child && status == 0, "the child of fork failed");
  std::puts("no race");
  return 0;
}
