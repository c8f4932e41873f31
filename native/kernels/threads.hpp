// A small pool of threads of our own: no OpenMP runtime, passive waiting, safe after fork.
//
// One job at a time. A caller that finds the pool busy, because another thread of the process uses
// it, does its work alone: nothing ever waits for somebody else's job.
#pragma once
#include <cstddef>
#include <functional>

namespace banditcd {

// Calls task(t) once for every t < tasks, on up to `threads` threads, this one among them. Tasks
// are handed out one by one, so that a thread that is held up delays only its own task. The result
// of a task must not depend on the thread that runs it. If a task throws, those that nobody has
// taken are left out, and the caller gets the first exception once all others have ended.
void run_tasks(std::size_t threads, std::size_t tasks,
               const std::function<void(std::size_t)>& task);

}  // namespace banditcd
