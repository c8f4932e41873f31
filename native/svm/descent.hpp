// Dual coordinate descent in bins. A bin refreshes what is known about all rows: margins, the gap
// and r_i > 0, that is, which rows can move at all. Rows proven flat by the lazy bound (ring.hpp)
// are not read. Between two bins only rows with r_i > 0 are visited, in shuffled passes, and those
// that pay most are revisited: on the duals it is revisiting that makes a bandit.
#pragma once
#include <limits>
#include <vector>

#include "kernels/rng.hpp"
#include "svm/certificate.hpp"
#include "svm/ring.hpp"

namespace banditcd::svm {

enum class Outcome { kConverged, kBudget, kStalled, kOvertaken };

// Another method, and what it would cost in nanoseconds: once, and for every decade of the gap.
// `entry` is what descent itself pays for an entry. A direct rival may take over after one
// pass. Without a rival nothing is compared.
struct Rival {
  double once = std::numeric_limits<double>::infinity(), decade = 0.0, entry = 1.0;
  bool direct = false;
  bool exists() const { return once < std::numeric_limits<double>::infinity(); }
};

// How long a method may work. Entries are readings of Rows::entries_read().
struct Budget {
  double target = 0.0;
  double entries = 0.0;
  Rival rival;
  bool copy = false;     // descent may read a copy in single precision
  std::size_t bins = 0;  // counted up
};

class Descent {
 public:
  explicit Descent(const Problem& problem);
  // Starts at dual variables in the box and their weights; without this call, at zero.
  void start(const std::vector<double>& w, const std::vector<double>& a);
  // Ends as Stopped (thrown) with a consistent pair, too.
  Outcome run(Budget& budget, Watch& watch);

  double gap() const { return gap_; }
  // A bound of |w - sum a z|, both exact: what rounding did since the start at zero. Infinite after
  // another start.
  double drift() const;
  // Whether gap() was read off the data at the present weights.
  bool fresh() const { return fresh_ && !copying_; }
  // Whether a copy of the data in single precision was read: w is then near v only.
  bool copying() const { return copying_; }
  const std::vector<double>& weights() const { return w_; }
  std::vector<double> duals() const;

 private:
  // What the passes of a bin gained: all of them, and the first.
  struct Gains {
    double total = 0.0, first = 0.0;
    std::size_t passes = 0;
  };
  void note(double read);
  bool crawls(const Rival& rival) const;
  double entries_ahead() const;
  bool overtaken(const Budget& budget) const;
  void refresh(Watch& watch);
  void refresh_balanced();
  void choose_rows();
  void shuffle(Sweep& sweep);
  void run_pass(Sweep& sweep);
  Outcome run_bins(Budget& budget, Watch& watch);
  bool may_copy(const Budget& budget) const;
  double inner_passes(std::size_t most, double limit, Watch& watch);
  bool arrived(double previous, const Gains& gains);
  void remember_positions(std::size_t count);
  double revisit(std::size_t count, double far);
  double upper(const Arm& arm) const;
  Sweep sweep_over(std::vector<Index>& order);

  const Problem& problem_;
  double bias_step_ = 0.0;
  std::vector<Arm> arms_;  // by place in the data
  std::vector<double> w_, slack_, norm_, margin_, a_, position_;
  std::vector<Ring::Place> seen_;
  std::vector<Index> evaluated_, ids_, order_, shuffled_, blocks_;
  Ring ring_;
  Rng rng_{20080705};
  double gap_ = 0.0, target_ = 0.0, decrease_ = 0.0;  // decrease_: of the last pass
  double pace_ = 0.0;  // of the last two passes of one bin: how much less the second gained
  // Of the last two refreshes: entries read since the start, and gap.
  double read_[2] = {0.0, 0.0}, measured_[2] = {0.0, 0.0}, measured_first_ = 0.0;
  double visits_ = 0.0, gained_ = 0.0;  // of all passes since the start
  bool cold_ = true, fresh_ = false, copying_ = false;
};

}  // namespace banditcd::svm
