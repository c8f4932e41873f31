// Strategies as arms: which of several methods for one problem goes on, by the fall of the gap per
// priced work.
//
// Work is counted operations times prices (kernels/prices.hpp), never a clock, so that equal input
// makes equal choices. Every arm has a price: what its whole way costs, if that is known before it
// starts (a factorization), or else a guess, which doubles whenever the arm has spent it. The arm
// with the least expected work starts. Two rules make it yield:
//   - it has spent the price of another arm (ski rental: Karlin et al. 1988);
//   - it is steady, has spent kPatience of what another arm is expected to need, and log(gap /
//     target) over the speed of its last notes is kMore times that (or kHopeless times, after
//     kGlance of it).
//     A turn is at least as long as all turns before it together, so that there are few of them.
// All arms improve one point, which is handed over. If the best of m arms alone needs the work c,
// and p was the first price of that arm, then no other arm spends more than (1 + kNearlyThere)
// max(p, 2 c) and one step (c instead of 2 c if its price was known): docs/strategies.md.
#pragma once
#include <cstddef>
#include <vector>

namespace banditcd {

class Arms {
 public:
  // Whose price is known; whose gap falls steadily enough to tell how far it is; who goes the
  // quicker the nearer (Newton's method), and is slow before that.
  enum class Kind { kKnown, kSteady, kQuickening };
  explicit Arms(double target) : target_(target) {}

  // An arm, by the work it is expected to need for the whole way. Returns its number.
  std::size_t add(double expected, Kind kind);
  // Another target from now on, and what an arm of known price costs with it.
  void aim_at(double target) { target_ = target; }
  void price_again(std::size_t arm, double expected) {
    arms_[arm].expected = arms_[arm].price = expected;
  }
  // The first arm: the least expected work, a known price being preferred to a guess.
  void begin();
  std::size_t current() const { return current_; }
  // The current arm did this work since its last note, and sees this gap now.
  void note(double work, double gap);
  // Whether the current arm should yield to another one.
  bool overtaken() const;
  // Work that the current arm may do before another one must have its turn.
  double allowance() const;
  // Gives the turn to the best of the others. False: there is none.
  bool hand_over();
  // The current arm cannot go on; it has no further turn.
  void retire() { arms_[current_].retired = true; }

 private:
  struct Note {
    double spent, gap;
  };
  struct Arm {
    double expected = 0.0, price = 0.0;
    Kind kind = Kind::kSteady;
    double spent = 0.0, before = 0.0;  // in all turns, and in those before this one
    std::vector<Note> notes;           // of the last turn
    bool retired = false;
  };
  double rest(const Arm& arm) const;
  static bool first_look(const Arm& arm, double theirs);
  const Arm* best_other() const;
  double least_price() const;

  double target_;
  std::size_t current_ = 0, turns_ = 0;
  std::vector<Arm> arms_;
};

}  // namespace banditcd
