// The pace of descent: how fast its gap falls, and whether a rival would arrive sooner.
#pragma once
#include "svm/budget.hpp"

namespace banditcd::svm {

class Pace {
 public:
  void aim_at(double target) { target_ = target; }
  // A refresh: entries read since the start, and the gap.
  void note(double read, double gap);
  // The entries to be read until the target is reached at the pace of the last bin, or of the whole
  // way if that was faster: bins differ in length.
  double entries_ahead() const;
  // Whether the rest of the way costs more than the rival would.
  bool overtaken(const Rival& rival) const;
  // Whether the first pass, over this many entries, tells that descent will take very long: it
  // gained a share of the gap so small that closing it costs more than the rival's first steps.
  bool crawls(const Rival& rival, double gained, double entries) const;

 private:
  double target_ = 0.0, first_gap_ = 0.0;
  double read_[2] = {0.0, 0.0}, gap_[2] = {0.0, 0.0};  // of the last two refreshes
};

}  // namespace banditcd::svm
