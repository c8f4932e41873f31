#include "solve/arms.hpp"

#include <algorithm>
#include <cmath>

#include "solve/limits.hpp"

namespace banditcd {
namespace {

// A guess may be this much too low before another arm must have its turn.
constexpr double kUnsure = 2.0;
// The notes that tell how fast an arm is; the share of what another is expected to need that an arm
// may spend before it is compared, and how much worse it must look then to yield.
constexpr std::size_t kProbeNotes = 4, kLastNotes = 3;
constexpr double kPatience = 0.4, kMore = 1.3;
// An arm that seems to need no more than this share of the price of another may go on for that.
constexpr double kNearlyThere = 0.25;

}  // namespace

std::size_t Arms::add(double expected, Price price) {
  const bool known = price == Price::kKnown;
  Arm arm;
  arm.expected = expected;
  arm.price = known ? expected : kUnsure * expected;
  arm.known = known;
  arms_.push_back(arm);
  return arms_.size() - 1;
}

void Arms::begin() {
  for (std::size_t a = 0; a < arms_.size(); ++a)
    if (arms_[a].expected < arms_[current_].expected) current_ = a;
}

void Arms::note(double work, double gap) {
  Arm& arm = arms_[current_];
  arm.spent += work;
  if (!arm.known && arm.spent > arm.price) arm.price = 2.0 * arm.spent;
  arm.notes.push_back({arm.spent, gap});
}

// What the arm still needs: its price if that is known; its guess as long as little is known; the
// rest of the way at the speed of the second half of its notes, or of the last ones if that is
// higher.
double Arms::rest(const Arm& arm) const {
  if (arm.known) return std::max(arm.price - arm.spent, kNearlyThere * arm.price);
  const std::size_t count = arm.notes.size();
  if (count < kProbeNotes) return arm.spent > 0.0 ? arm.price : arm.expected;
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
  return std::max(0.0, (1.0 + kNearlyThere) * least_price() - arms_[current_].spent);
}

bool Arms::overtaken() const {
  const Arm &arm = arms_[current_], *other = best_other();
  if (!other || arm.known) return false;
  const double mine = rest(arm), price = least_price();
  if (arm.spent > price)
    return mine > kNearlyThere * price || arm.spent > (1.0 + kNearlyThere) * price;
  if (arm.notes.size() < kProbeNotes || arm.spent < 2.0 * arm.before) return false;
  const double theirs = rest(*other);
  return arm.spent > kPatience * theirs && mine > kMore * theirs;
}

bool Arms::hand_over() {
  const Arm* other = best_other();
  if (!other) return false;
  current_ = static_cast<std::size_t>(other - arms_.data());
  Arm& arm = arms_[current_];
  arm.before = arm.spent;
  arm.notes.clear();
  return true;
}

double Arms::spent() const {
  double sum = 0.0;
  for (const Arm& arm : arms_) sum += arm.spent;
  return sum;
}

}  // namespace banditcd
