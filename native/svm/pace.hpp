// The pace of descent: how fast its gap falls, and whether a rival would arrive sooner.
#pragma once
#include <algorithm>
#include <cmath>

#include "svm/budget.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

class Pace {
 public:
  explicit Pace(double target) : target_(target) {}

  // A refresh: entries read since the start, and the gap.
  void note(double read, double gap) {
    read_[0] = read_[1];
    gap_[0] = gap_[1];
    read_[1] = read;
    gap_[1] = gap;
    if (first_gap_ == 0.0) first_gap_ = gap;
  }
  // The entries to be read until the target is reached at the pace of the last bin, or of the whole
  // way if that was faster: bins differ in length.
  double entries_ahead() const {
    const double last = std::log(gap_[0] / gap_[1]) / (read_[1] - read_[0]);
    const double mean = std::log(first_gap_ / gap_[1]) / read_[1];
    const double pace = std::max({last, mean, 0.0});
    return pace > 0.0 ? std::log(gap_[1] / target_) / pace : kInfinity;
  }
  // Whether the rest of the way costs more than the rival would.
  bool overtaken(const Rival& rival) const {
    if (!rival.exists()) return false;
    const double theirs = rival.once + rival.decade * std::log10(gap_[1] / target_);
    const double ours = entries_ahead() * rival.entry;
    const bool patient = read_[1] * rival.entry < kPatience * theirs;
    return ours > (patient ? kHopeless : 1.0) * theirs;
  }
  // Whether the first pass, over this many entries, tells that descent will take very long: it
  // gained a share of the gap so small that closing it costs more than the rival's first steps.
  bool crawls(const Rival& rival, double gained, double entries) const {
    if (!(gap_[1] > kCrawlGap * first_gap_)) return false;
    return gained * std::max(kCrawlPasses, rival.once / (rival.entry * entries)) < gap_[1];
  }

 private:
  double target_, first_gap_ = 0.0;
  double read_[2] = {0.0, 0.0}, gap_[2] = {0.0, 0.0};  // of the last two refreshes
};

}  // namespace banditcd::svm
