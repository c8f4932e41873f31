// A tournament of values: the largest of d numbers.
#pragma once
#include <cstddef>

#include "engine/wide_tree.hpp"

namespace banditcd::engine {

struct Largest {
  static constexpr double kEmpty = -1.0;  // below every value, which are >= 0
  static double of(const double (&v)[8]) {
    const double a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    const double c = v[4] > v[5] ? v[4] : v[5], d = v[6] > v[7] ? v[6] : v[7];
    const double e = a > b ? a : b, f = c > d ? c : d;
    return e > f ? e : f;
  }
};

// Only values are stored in the inner nodes; the index is found on the way down.
class ArgmaxTree : public WideTree<Largest> {
 public:
  double largest() const { return root(); }
  bool all_zero() const { return !(root() > 0.0); }

  // First index with the largest value.
  std::size_t argmax() const {
    const double best = root();
    return descend([best](const double (&child)[kFan]) {
      std::size_t first = kFan - 1;  // without branches: which child wins is unpredictable
      for (std::size_t k = kFan - 1; k-- > 0;) first = child[k] == best ? k : first;
      return first;
    });
  }
};

}  // namespace banditcd::engine
