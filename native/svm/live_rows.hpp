// The rows that may matter on the segment of a Newton step, and the margins of all.
//
// Rows proven flat along the whole segment by the lazy bound are not live: they are not read, and
// their margins are those of an earlier point.
#pragma once
#include <vector>

#include "svm/lazy_rows.hpp"
#include "svm/problem.hpp"

namespace banditcd::svm {

class LiveRows {
 public:
  explicit LiveRows(const Problem& problem);

  // Every row becomes live, with its margin read at w.
  void read_all(const std::vector<double>& w, Watch& watch);
  // The rows that may matter between w and w + d become the live ones, with their slopes z . d.
  void choose(const std::vector<double>& w, const std::vector<double>& d, Watch& watch);
  // Margins after a step t along the slopes, to the weights w.
  void move(double t, const std::vector<double>& w);
  // Rows are evaluated at w from now on.
  void remember(const std::vector<double>& w) { lazy_.remember(w.data()); }
  // A row does not matter within this distance of its margin; not positive: it matters.
  void set_slack(Index t, double slack) { lazy_.set(t, slack); }

  const std::vector<Index>& live() const { return live_; }
  const std::vector<double>& margins() const { return margin_; }
  double margin(Index t) const { return margin_[t]; }
  // By place in live().
  const std::vector<double>& slopes() const { return slope_; }

 private:
  void read_again(std::size_t first, const std::vector<double>& w, Watch& watch);

  const Problem& problem_;
  LazyRows lazy_;
  std::vector<Index> live_;
  std::vector<Index> part_, ids_;  // of some rows: by place in the problem, and in the data
  std::vector<char> is_live_;
  std::vector<double> values_;  // of such a part
  std::vector<double> margin_, slope_;
};

}  // namespace banditcd::svm
