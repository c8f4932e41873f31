// Work that is cut into pieces and shared among threads, with the same bits in every run.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/threads.hpp"
#include "kernels/vector.hpp"
#include "solve/watch.hpp"

namespace banditcd {

// The pieces, and which thread works on which: always the same one. Threads other than the first
// must not ask whether Ctrl-C was pressed, so that the watch of a piece never does.
class Rounds {
 public:
  Rounds(std::size_t pieces, std::size_t threads) : pieces_(pieces), threads_(threads) {}
  std::size_t threads() const { return threads_; }
  // work(piece, its watch, thread), for as many pieces of each thread at once.
  template <class Work>
  void run(std::size_t at_once, Watch& watch, const Work& work) const {
    for (std::size_t first = 0; first < pieces_; first += threads_ * at_once) {
      run_tasks(threads_, threads_, [&](std::size_t thread) {
        const std::size_t from = first + thread * at_once;
        Watch patient;
        for (std::size_t p = from; p < std::min(from + at_once, pieces_); ++p)
          work(p, patient, thread);
      });
      watch.check();
    }
  }
  // out = the sum over all pieces of what work(piece, its watch, place) puts into a place of this
  // size.
  template <class Work>
  void sum(std::size_t at_once, std::size_t size, double* out, Watch& watch,
           const Work& work) const {
    std::vector<std::vector<double>> part(threads_), total(threads_);
    run(at_once, watch, [&](std::size_t p, Watch& patient, std::size_t thread) {
      part[thread].resize(size);
      total[thread].resize(size, 0.0);
      work(p, patient, part[thread].data());
      axpy(1.0, part[thread].data(), total[thread].data(), size);
    });
    std::fill(out, out + size, 0.0);
    for (const std::vector<double>& own : total)
      if (!own.empty()) axpy(1.0, own.data(), out, size);
  }

 private:
  std::size_t pieces_, threads_;
};

}  // namespace banditcd
