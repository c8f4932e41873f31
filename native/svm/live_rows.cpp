#include "svm/live_rows.hpp"

#include <algorithm>
#include <numeric>

namespace banditcd::svm {

LiveRows::LiveRows(const Problem& problem)
    : problem_(problem),
      lazy_(problem),
      is_live_(problem.size(), 0),
      margin_(problem.size(), 0.0) {}

void LiveRows::read_all(const std::vector<double>& w, Watch& watch) {
  live_.resize(problem_.size());
  std::iota(live_.begin(), live_.end(), 0);
  std::fill(is_live_.begin(), is_live_.end(), 1);
  if (std::all_of(w.begin(), w.end(), [](double x) { return x == 0.0; }))
    std::fill(margin_.begin(), margin_.end(), 0.0);
  else
    problem_.rows->margins(problem_.ids.data(), live_.size(), w.data(), margin_.data(), watch);
}

void LiveRows::choose(const std::vector<double>& w, const std::vector<double>& d, Watch& watch) {
  lazy_.relate(w.data(), d.data());
  live_.clear();
  for (std::size_t first = 0; first < problem_.size(); first += kRowsOfPart)
    read_again(first, w, watch);
  slope_.resize(live_.size());
  for (std::size_t first = 0; first < live_.size(); first += kRowsOfPart) {
    const std::size_t end = std::min(live_.size(), first + kRowsOfPart);
    ids_.clear();
    for (std::size_t k = first; k < end; ++k) ids_.push_back(problem_.ids[live_[k]]);
    problem_.rows->margins(ids_.data(), ids_.size(), d.data(), slope_.data() + first, watch);
  }
}

// Live ones of a part of the rows. Those that come back must be read at w: their margins are those
// of an older point.
void LiveRows::read_again(std::size_t first, const std::vector<double>& w, Watch& watch) {
  part_.clear();
  ids_.clear();
  for (std::size_t t = first; t < std::min(problem_.size(), first + kRowsOfPart); ++t) {
    const bool live = lazy_.may_matter(t);
    if (live) live_.push_back(static_cast<Index>(t));
    if (live && !is_live_[t]) {
      part_.push_back(static_cast<Index>(t));
      ids_.push_back(problem_.ids[t]);
    }
    is_live_[t] = live;
  }
  values_.resize(part_.size());
  problem_.rows->margins(ids_.data(), ids_.size(), w.data(), values_.data(), watch);
  for (std::size_t k = 0; k < part_.size(); ++k) margin_[part_[k]] = values_[k];
}

void LiveRows::move(double t, const std::vector<double>& w) {
  for (std::size_t k = 0; k < live_.size(); ++k) margin_[live_[k]] += t * slope_[k];
  remember(w);
}

}  // namespace banditcd::svm
