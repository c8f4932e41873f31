// Work of one solve: entries of X read, and seconds by kind of work.
#pragma once
#include "solve/report.hpp"

namespace banditcd::logistic {

struct Work {
  double entries_read = 0.0;
  Phases phases;
};

}  // namespace banditcd::logistic
