// The pace of descent: how fast its gap falls, and whether a rival would arrive sooner.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solve/arms.hpp"
#include "svm/budget.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

// The arms, by their numbers: descent, its rival, and a second rival of known price beside one of
// guessed price.
enum class Method : std::size_t { kDescent, kRival, kSecond };

class Pace {
 public:
  explicit Pace(const Budget& budget)
      : target_(budget.target),
        rival_(budget.rival),
        second_(budget.second),
        arms_(budget.target) {}

  // A refresh: entries read since the start, the gap, and what it has to be by now.
  void note(double read, double gap, double target) {
    if (first_gap_ == 0.0) begin(gap);
    if (target != target_) aim_at(target);
    arms_.note((read - read_[1]) * rival_.entry, gap);
    read_[0] = read_[1];
    gap_[0] = gap_[1];
    read_[1] = read;
    gap_[1] = gap;
  }
  // The entries to be read until the target is reached at the pace of the last bin, or of the whole
  // way if that was faster: bins differ in length.
  double entries_ahead() const {
    const double last = std::log(gap_[0] / gap_[1]) / (read_[1] - read_[0]);
    const double mean = std::log(first_gap_ / gap_[1]) / read_[1];
    const double pace = std::max({last, mean, 0.0});
    return pace > 0.0 ? std::log(gap_[1] / target_) / pace : kInfinity;
  }
  // Entries are read in double precision from now on.
  void leave_copy() { rival_.entry = rival_.exact; }
  // Whether the rival should take its turn.
  bool overtaken() const { return arms_.overtaken(); }
  // Gives the turn to another method, and returns it; the reading of entries_read() now. Descent is
  // worth waiting for no longer than its pace says it would take.
  Method hand_over(double entries) {
    if (current() == Method::kDescent) {
      const double least = std::max(price(rival_), 2.0 * read_[1] * rival_.entry);
      const double ahead = std::max(entries_ahead(), crawl_) * rival_.entry;
      price_again(Method::kDescent, std::clamp(ahead, least, kForecast * least));
    }
    arms_.hand_over();
    turn_read_ = entries;
    return current();
  }
  // The method that has the turn cannot go on.
  void retire() { arms_.retire(); }
  // A rival of guessed price has come to this reading with this gap: whether it should yield.
  bool rival_yields(double entries, double gap) {
    arms_.note((entries - turn_read_) * rival_.own, gap);
    turn_read_ = entries;
    return arms_.overtaken();
  }
  // The reading at which it must have yielded.
  double last_entry(const Budget& budget) const {
    return std::min(budget.entries, turn_read_ + arms_.allowance() / rival_.own);
  }
  // Whether the first pass, over this many entries, tells that descent will take very long: it
  // gained a share of the gap so small that closing it costs more than the rival's first steps.
  bool crawls(double gained, double entries) {
    const double share = rival_.guessed() ? kGuessedCrawlGap : kCrawlGap;
    if (!rival_.direct || !(gap_[1] > share * first_gap_)) return false;
    crawl_ = gap_[1] / gained * entries;
    return std::max(kCrawlPasses * entries, rival_.once / rival_.entry) < crawl_;
  }

 private:
  Method current() const { return static_cast<Method>(arms_.current()); }
  void price_again(Method method, double price) {
    arms_.price_again(static_cast<std::size_t>(method), price);
  }
  // Descent is the first arm; a rival's price follows from the gap it would start from.
  void begin(double gap) {
    first_gap_ = gap;
    arms_.add(rival_.guessed() ? price(rival_) : kInfinity, Arms::Kind::kSteady);
    const Arms::Kind kind = rival_.guessed() ? Arms::Kind::kQuickening : Arms::Kind::kKnown;
    if (rival_.exists()) arms_.add(price(rival_), kind);
    if (second_.exists()) arms_.add(price(second_), Arms::Kind::kKnown);
  }
  void aim_at(double target) {
    target_ = target;
    arms_.aim_at(target);
    if (rival_.exists() && !rival_.guessed()) price_again(Method::kRival, price(rival_));
    if (second_.exists()) price_again(Method::kSecond, price(second_));
  }
  double price(const Rival& rival) const {
    return rival.once + rival.decade * std::log10(first_gap_ / target_);
  }

  double target_;
  Rival rival_, second_;
  Arms arms_;
  double first_gap_ = 0.0, turn_read_ = 0.0;
  double crawl_ = 0.0;                                 // entries ahead, as the first pass tells
  double read_[2] = {0.0, 0.0}, gap_[2] = {0.0, 0.0};  // of the last two refreshes
};

}  // namespace banditcd::svm
