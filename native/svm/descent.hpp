// Dual coordinate descent in bins.
//
// A bin refreshes what is known about all rows: margins, the gap, and r_i > 0, that is, which rows
// can move at all; rows proven flat by the lazy bound (lazy_rows.hpp) are not read. Between two
// refreshes only rows with r_i > 0 are visited (dual_passes.hpp). The choice of a bandit is which
// of them to visit again at once: those that moved far.
#pragma once
#include <vector>

#include "svm/budget.hpp"
#include "svm/dual_passes.hpp"
#include "svm/lazy_rows.hpp"
#include "svm/pace.hpp"
#include "svm/pair.hpp"

namespace banditcd::svm {

class Descent {
 public:
  explicit Descent(const Problem& problem);
  // Starts at the dual variables of a pair and their weights; without this call, at zero.
  void start(Pair& pair);
  // Ends as Stopped (thrown) with a consistent pair, too. After kOvertaken it can be called again,
  // with the same pace.
  Outcome run(Budget& budget, Pace& pace, Watch& watch);

  double gap() const { return gap_; }
  double drift() const { return passes_.drift(); }
  // Whether gap() was read off the data at the present weights.
  bool fresh() const { return fresh_ && !copying_; }
  // Whether a copy of the data in single precision was read: w is then near v only.
  bool copying() const { return copying_; }
  const std::vector<double>& weights() const { return passes_.weights(); }
  std::vector<double> duals() const { return passes_.duals(); }
  Pair pair() const;
  // The last one, after which nothing else is asked: the memory of the bins is given back before.
  Pair last_pair();

 private:
  Outcome run_bins(Budget& budget, Pace& pace, Watch& watch);
  bool may_copy(const Budget& budget) const;
  double copy_floor() const;
  void leave_copy();
  void begin_at_zero();
  void look(Watch& watch);
  void refresh(Watch& watch);
  void refresh_part(std::size_t first, Watch& watch);
  double follow_objective(Budget& budget) const;
  void refresh_balanced();

  const Problem& problem_;
  DualPasses passes_;
  LazyRows lazy_;
  std::vector<Index> order_;            // rows to visit, by their place in the data
  std::vector<Index> evaluated_, ids_;  // of some rows: by place in the problem, and in the data
  std::vector<double> margin_;          // of these
  double gap_ = 0.0, objective_ = 0.0;  // the latter with a free intercept only
  double read_ = 0.0;                   // entries in all calls
  std::size_t bin_ = 0;
  bool cold_ = true, from_zero_ = true, fresh_ = false, copying_ = false;
};

}  // namespace banditcd::svm
