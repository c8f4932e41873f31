#include "svm/pace.hpp"

#include <algorithm>
#include <cmath>

#include "svm/strategy.hpp"

namespace banditcd::svm {

void Pace::note(double read, double gap) {
  read_[0] = read_[1];
  gap_[0] = gap_[1];
  read_[1] = read;
  gap_[1] = gap;
  if (first_gap_ == 0.0) first_gap_ = gap;
}

double Pace::entries_ahead() const {
  const double last = std::log(gap_[0] / gap_[1]) / (read_[1] - read_[0]);
  const double mean = std::log(first_gap_ / gap_[1]) / read_[1];
  const double pace = std::max({last, mean, 0.0});
  return pace > 0.0 ? std::log(gap_[1] / target_) / pace : kInfinity;
}

bool Pace::overtaken(const Rival& rival) const {
  if (!rival.exists()) return false;
  const double theirs = rival.once + rival.decade * std::log10(gap_[1] / target_);
  const double ours = entries_ahead() * rival.entry;
  const bool patient = read_[1] * rival.entry < kPatience * theirs;
  return ours > (patient ? kHopeless : 1.0) * theirs;
}

bool Pace::crawls(const Rival& rival, double gained, double entries) const {
  if (!(gap_[1] > kCrawlGap * first_gap_)) return false;
  const double pass = rival.entry * entries;
  return gained * std::max(kCrawlPasses, rival.once / pass) < gap_[1];
}

}  // namespace banditcd::svm
