// The budget of a method: how accurate, how long, and against which rival.
#pragma once
#include <cstddef>

#include "solve/limits.hpp"

namespace banditcd::svm {

enum class Outcome { kConverged, kBudget, kStalled, kOvertaken };

// Another method, and what it would cost in nanoseconds: once, and for every decade of the gap.
// `entry` is what descent itself pays for an entry. A direct rival may take over after one
// pass. Without a rival nothing is compared.
struct Rival {
  double once = kInfinity, decade = 0.0, entry = 1.0;
  bool direct = false;
  bool exists() const { return once < kInfinity; }
};

// Entries are readings of StoredRows::entries_read().
struct Budget {
  double target = 0.0;
  double entries = 0.0;
  Rival rival;
  bool copy = false;     // descent may read a copy in single precision
  std::size_t bins = 0;  // counted up
};

}  // namespace banditcd::svm
