// The budget of a method: how accurate, how long, and against which rival.
#pragma once
#include <algorithm>
#include <cstddef>

#include "solve/limits.hpp"

namespace banditcd::svm {

enum class Outcome { kConverged, kBudget, kStalled, kOvertaken };

// Another method, and what it would cost in nanoseconds: once, and for every decade of the gap.
// `entry` is what descent itself pays for an entry, and `exact` for one in double precision. A
// direct rival may take over after one pass. Without a rival nothing is compared. A guessed price
// may turn out too low: then descent goes on in turns with the rival, which pays `own` for an
// entry, and with a second rival.
struct Rival {
  double once = kInfinity, decade = 0.0, entry = 1.0, exact = 1.0, own = 0.0;
  bool direct = false;
  bool guessed() const { return own > 0.0; }
  double four_decades() const { return once + 4.0 * decade; }
  bool exists() const { return once < kInfinity; }
};

// Entries are readings of StoredRows::entries_read(). The target is at most a share of the
// objective, to which `outside` belongs, the loss of rows that are no part of the problem; methods
// that see the objective lower it.
struct Budget {
  double target = 0.0;
  double share = kInfinity, outside = 0.0;
  double looser = 1.0;  // the tolerance in units of the usual one, at least 1
  double entries = 0.0;
  Rival rival, second;
  bool copy = false;     // descent may read a copy in single precision
  std::size_t bins = 0;  // counted up

  // A gap is at most the objective, so that only a share below one says something.
  bool wants_objective() const { return share < 1.0; }
  void lower_target(double objective) { target = std::min(target, share * (objective + outside)); }
  // What the target will be at the end: the objective falls, at most by the gap, and by half of it
  // where a gap says little.
  double last_target(double objective, double gap) const {
    const double least = std::max(objective - gap, 0.5 * objective);
    return std::min(target, share * (least + outside));
  }
};

}  // namespace banditcd::svm
