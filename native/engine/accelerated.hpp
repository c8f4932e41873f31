// The accelerated methods: two sequences, one coordinate of each changed per step.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/penalty.hpp"
#include "engine/selector.hpp"
#include "kernels/rng.hpp"

namespace banditcd::engine {

class Accelerated {
 public:
  virtual ~Accelerated() = default;
  virtual void step() = 0;
  virtual void point(double* x) const = 0;  // the current x
  virtual std::size_t size() const = 0;
  std::uint64_t entries() const { return entries_; }
  // Up to `steps` steps, fewer after about `seconds`.
  std::size_t run(std::size_t steps, double seconds);

 protected:
  std::uint64_t entries_ = 0;
};

}  // namespace banditcd::engine
