// Limited-memory BFGS (Liu and Nocedal 1989): an approximate inverse of the Hessian from the last
// few steps s and the changes y of the gradient along them, in float32.
#pragma once
#include <vector>

#include "kernels/memory.hpp"

namespace banditcd::multinomial {

class LimitedMemory {
 public:
  // What the pairs of this number of coordinates take.
  static double bytes(double coordinates) { return 2.0 * sizeof(float) * kPairs * coordinates; }
  void forget() { pair_.clear(), point_.clear(), gradient_.clear(); }
  // The next point and its gradient: with those before them they are a pair.
  void visit(AlignedVector point, const AlignedVector& gradient);
  // v = -H gradient; -gradient while there is no pair.
  void direction(const AlignedVector& gradient, AlignedVector& v);

 private:
  static constexpr std::size_t kPairs = 8;

  struct Pair {
    std::vector<float> s, y;
    double product;  // s . y
    double scale;    // s . y / y . y
  };

  std::vector<Pair> pair_;  // the oldest first
  AlignedVector point_, gradient_;
  std::vector<double> share_;
};

}  // namespace banditcd::multinomial
