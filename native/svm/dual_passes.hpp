// Passes of exact coordinate descent over the dual variables, between two refreshes.
//
// The pair (w, a) with w = sum_i a_i z_i is kept up to date by every step. Rows are visited in
// shuffled blocks; those that moved far in slow passes are revisited at once (the arms that pay).
#pragma once
#include <vector>

#include "kernels/rng.hpp"
#include "solve/limits.hpp"
#include "svm/problem.hpp"

namespace banditcd::svm {

// When the passes of a bin end: after `most` passes, at a reading of entries_read(), or when a gap,
// as the last refresh saw it, has probably fallen to its target.
struct BinEnd {
  std::size_t most;
  double entries, gap, target;
};

class DualPasses {
 public:
  explicit DualPasses(const Problem& problem);
  // Starts at dual variables in the box and their weights; without this call, at zero.
  void start(const std::vector<double>& w, const std::vector<double>& a);

  // Passes over rows by their place in the data, which are reordered, and dropped while they are
  // stuck at a bound; returns by how much the dual cost fell.
  double run(std::vector<Index>& order, const BinEnd& end, Watch& watch);
  // By how much it fell in the last pass of all.
  double last_decrease() const { return decrease_; }
  // Moves the multiplier of a free intercept.
  void set_bias(double b) { w_.back() = b; }
  double bias_step() const { return bias_step_; }

  const std::vector<double>& weights() const { return w_; }
  std::vector<double> duals() const;
  // The dual variable of a row by its place in the data, and whether it is at its upper bound.
  double dual(Index id) const { return arms_[id].a; }
  bool at_upper(Index id) const { return arms_[id].a >= upper(arms_[id]); }
  // A bound of |w - sum a z|, both exact: what rounding did since the start at zero. Infinite after
  // another start.
  double drift() const;

 private:
  // Gains of the passes of a bin: of all of them, and of the first.
  struct Gains {
    double total = 0.0, first = 0.0;
    std::size_t passes = 0;
  };
  double upper(const Arm& arm) const { return boxed() ? arm.bound : kInfinity; }
  bool boxed() const { return problem_.loss == Loss::kHinge; }
  Sweep sweep_over(std::vector<Index>& order);
  void shuffle(std::vector<Index>& order, Sweep& sweep);
  void run_pass(Sweep& sweep);
  bool arrived(double previous, const Gains& gains, const BinEnd& end);
  void remember_positions(const Sweep& sweep);
  double revisit(const Sweep& sweep);

  const Problem& problem_;
  double bias_step_ = 0.0;  // what y_i a_i adds to the last coordinate of w
  std::vector<Arm> arms_;   // by place in the data
  std::vector<double> w_, position_;
  std::vector<Index> shuffled_, blocks_;
  Rng rng_{20080705};
  double decrease_ = 0.0;               // of the last pass
  double pace_ = 0.0;                   // how much less that gained than the one before
  double visits_ = 0.0, gained_ = 0.0;  // of all passes since the start
};

}  // namespace banditcd::svm
