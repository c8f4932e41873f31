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
  for (auto* rows : {&next_live_, &stale_, &ids_}) rows->clear();
  for (std::size_t t = 0; t < problem_.size(); ++t) {
    const bool live = lazy_.may_matter(t);
    if (live) next_live_.push_back(static_cast<Index>(t));
    if (live && !is_live_[t]) {
      stale_.push_back(static_cast<Index>(t));
      ids_.push_back(problem_.ids[t]);
    }
    is_live_[t] = live;
  }
  // Rows that come back must be read at w: their margins are those of an older point.
  std::vector<double> values(stale_.size());
  problem_.rows->margins(ids_.data(), ids_.size(), w.data(), values.data(), watch);
  for (std::size_t k = 0; k < stale_.size(); ++k) margin_[stale_[k]] = values[k];
  live_.swap(next_live_);
  ids_.clear();
  for (const Index t : live_) ids_.push_back(problem_.ids[t]);
  slope_.resize(live_.size());
  problem_.rows->margins(ids_.data(), ids_.size(), d.data(), slope_.data(), watch);
}

void LiveRows::move(double t, const std::vector<double>& w) {
  for (std::size_t k = 0; k < live_.size(); ++k) margin_[live_[k]] += t * slope_[k];
  remember(w);
}

}  // namespace banditcd::svm
