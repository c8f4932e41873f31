// Draw an index with probability proportional to its weight.
#pragma once
#include <cstddef>

#include "engine/wide_tree.hpp"

namespace banditcd::engine {

struct Sum {
  static constexpr double kEmpty = 0.0;
  static double of(const double (&v)[8]) {
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
  }
};

// Sums are rebuilt from the children at every change, so they never drift.
class SamplingTree : public WideTree<Sum> {
 public:
  double total() const { return root(); }
  void scale(double factor) { scale_all(factor); }

  // The index whose interval of the cumulative sum holds u * total(), 0 <= u < 1.
  std::size_t draw(double u) const {
    double target = u * root();
    return descend([&target](const double (&child)[kFan]) {
      // Without branches: which child is entered is unpredictable.
      double sum = 0.0, before = 0.0;
      std::size_t chosen = 0;
      for (std::size_t k = 0; k < kFan; ++k) {
        sum += child[k];
        const bool past = target >= sum;
        chosen += past ? 1 : 0;
        before = past ? sum : before;
      }
      if (chosen == kFan) {  // rounding carried the target past the end: the last that is not empty
        do --chosen;
        while (chosen > 0 && !(child[chosen] > 0.0));
        target = child[chosen];
        return chosen;
      }
      target -= before;
      return chosen;
    });
  }
};

}  // namespace banditcd::engine
