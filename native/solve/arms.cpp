#include "solve/arms.hpp"

#include <algorithm>
#include <cmath>

#include "solve/limits.hpp"

namespace banditcd {
namespace {

// A guess may be this much too low before another arm must have its turn.
constexpr double kUnsure = 2.0;
// A known price begins if it is at most this times the least guess.
constexpr double kCertainty = 1.25;
// The notes that tell how fast an arm is; the share of what another is expected to need that an arm
// may spend before it is compared, and how much worse it must look to yield, then and after a
// glance. An arm whose gap does not fall yet is not compared at a glance. With a forecast that
// holds and a known price, kPatience + 1 and kPatience + kMore = 1 + kNearlyThere bound the regret
// by 1.5.
constexpr std::size_t kProbeNotes = 4, kLastNotes = 3;
constexpr double kPatience = 0.4, kMore = 1.1, kGlance = 0.25, kHopeless = 6.0;
// An arm that seems to need no more than this share of the price of another may go on for that.
// Arms are looked at between steps, so that each bound is exceeded by one step at most.
constexpr double kNearlyThere = 0.5;
// Turns are few where work is what decides; where gaps say nothing (overflow, no optimum), arms
// could yield to each other for ever.
constexpr std::size_t kMostTurns = 40;

}  // namespace

std::size_t Arms::add(double expected, Kind kind) {
  Arm arm;
  arm.expected = expected;
  arm.price = kind == Kind::kKnown ? expected : kUnsure * expected;
  arm.kind = kind;
  arms_.push_back(arm);
  return arms_.size() - 1;
}

void Arms::begin() {
  const auto charge = [&](std::size_t a) {
    return arms_[a].expected * (arms_[a].kind == Kind::kKnown ? 1.0 : kCertainty);
  };
  for (std::size_t a = 0; a < arms_.size(); ++a)
    if (charge(a) < charge(current_)) current_ = a;
}

void Arms::note(double work, double gap) {
  Arm& arm = arms_[current_];
  arm.spent += work;
  if (arm.kind != Kind::kKnown && arm.spent > arm.price) arm.price = 2.0 * arm.spent;
  arm.notes.push_back({arm.spent, gap});
}

// What the arm still needs: its price if that is known, or as long as little is known; the rest of
// the way at the speed of the second half of its notes, or of the last ones if that is higher.
double Arms::rest(const Arm& arm) const {
  if (arm.kind == Kind::kKnown) return std::max(arm.price - arm.spent, kNearlyThere * arm.price);
  const std::size_t count = arm.notes.size();
  if (arm.kind == Kind::kQuickening || count < kProbeNotes) return arm.price;
  const Note& last = arm.notes.back();
  const double ahead = std::log(last.gap / target_);
  if (!(ahead > 0.0)) return 0.0;
  double speed = 0.0;
  for (const std::size_t back : {count - count / 2 + 1, kLastNotes}) {
    const Note& first = arm.notes[count - back];
    speed = std::max(speed, std::log(first.gap / last.gap) / (last.spent - first.spent));
  }
  return speed > 0.0 ? ahead / speed : kInfinity;
}

// The first look with a forecast after kPatience may come some steps late: what they took counts,
// so that an arm that may go on needs no more than kPatience + kMore in all.
bool Arms::first_look(const Arm& arm, double theirs) {
  const std::size_t count = arm.notes.size();
  return count == kProbeNotes || arm.notes[count - 2].spent <= kPatience * theirs;
}

const Arms::Arm* Arms::best_other() const {
  const Arm* best = nullptr;
  for (const Arm& arm : arms_)
    if (&arm != &arms_[current_] && !arm.retired && (!best || rest(arm) < rest(*best))) best = &arm;
  return best;
}

double Arms::least_price() const {
  double least = kInfinity;
  for (const Arm& arm : arms_)
    if (&arm != &arms_[current_] && !arm.retired) least = std::min(least, arm.price);
  return least;
}

double Arms::allowance() const {
  if (turns_ >= kMostTurns) return kInfinity;
  return std::max(0.0, (1.0 + kNearlyThere) * least_price() - arms_[current_].spent);
}

bool Arms::overtaken() const {
  const Arm &arm = arms_[current_], *other = best_other();
  if (!other || arm.kind == Kind::kKnown || turns_ >= kMostTurns) return false;
  const double mine = rest(arm), price = least_price();
  if (arm.spent > price)
    return mine > kNearlyThere * price || arm.spent > (1.0 + kNearlyThere) * price;
  if (arm.kind != Kind::kSteady || arm.notes.size() < kProbeNotes) return false;
  if (arm.spent < 2.0 * arm.before) return false;
  const double theirs = rest(*other);
  if (arm.spent > kPatience * theirs)
    return mine > kMore * theirs - (first_look(arm, theirs) ? arm.spent - kPatience * theirs : 0.0);
  return arm.spent > kGlance * theirs && mine < kInfinity && mine > kHopeless * theirs;
}

bool Arms::hand_over() {
  const Arm* other = best_other();
  if (!other) return false;
  // Who has spent the price of a third arm would yield at once, back and forth without a step: then
  // that one's turn is due, whatever is forecast of it.
  for (const Arm& arm : arms_)
    if (&arm != &arms_[current_] && !arm.retired && other->spent > arm.price) other = &arm;
  ++turns_;
  current_ = static_cast<std::size_t>(other - arms_.data());
  Arm& arm = arms_[current_];
  arm.before = arm.spent;
  arm.notes.clear();
  return true;
}

}  // namespace banditcd
