// Shuffled passes over everything, and over the coordinates that pay while they do.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

// A set of coordinates and its cycle: one pass over all of it, then cycles over a part.
struct Level {
  std::vector<std::int32_t> members;
  std::uint64_t largest = 0;  // entries of its most expensive step
  // Of the pass: the rate at which a part has to pay.
  double gain = 0.0;
  std::uint64_t work = 0;
  // Of the cycle, added up as its cycles end.
  double cycle_gain = 0.0;
  std::uint64_t cycle_work = 0;

  bool pays(double g, std::uint64_t w) const {
    return g * static_cast<double>(work) > gain * static_cast<double>(w);
  }
};

class Focus final : public Selector {
 public:
  Focus(Rng rng, const Descent& descent, const Parameters& parameters)
      : Selector(rng),
        share_(parameters.at("share")),
        longest_(parameters.at("longest")),
        patience_(parameters.at("patience")),
        levels_(1),
        half_modulus_(descent.size()) {
    levels_[0].members.resize(descent.size());
    std::iota(levels_[0].members.begin(), levels_[0].members.end(), 0);
    for (std::size_t i = 0; i < half_modulus_.size(); ++i)
      half_modulus_[i] = 0.5 * (descent.h()[i] + descent.penalty().mu(i));
    moved_.reserve(descent.size());
  }

  std::size_t next(Descent& descent) override {
    if (naps_left_ > 0) {
      Level& all = levels_[0];
      if (position_ == all.members.size()) position_ = 0, --naps_left_;
      if (position_ > 0) return static_cast<std::size_t>(last_ = all.members[position_++]);
    } else if (begun_) {
      learn(descent);
      if (position_ == levels_.back().members.size() || gives_up()) end_pass();
    }
    begun_ = true;
    Level& top = levels_.back();
    if (position_ == 0) {
      rng_.shuffle(top.members.data(), top.members.size());
      top.gain = 0.0;
      top.work = 0;
      moved_.clear();
    }
    last_ = top.members[position_++];
    touched_ = descent.entries();
    return static_cast<std::size_t>(last_);
  }

 private:
  // A step that moved its coordinate.
  struct Move {
    std::int32_t i;
    double gain;
    std::uint64_t cost;
  };

  void learn(const Descent& descent) {
    Level& top = levels_.back();
    const std::uint64_t cost = descent.entries() - touched_;
    top.work += cost;
    const double move = descent.last_move();
    const double gain = half_modulus_[static_cast<std::size_t>(last_)] * move * move;
    if (!(gain > 0.0)) return;
    top.gain += gain;
    moved_.push_back({last_, gain, cost});
  }

  // Whether one step more could cost more than patience allows.
  bool gives_up() const {
    if (levels_.size() == 1) return false;
    const Level &top = levels_.back(), &above = levels_[levels_.size() - 2];
    return static_cast<double>(top.work + top.largest) * above.gain >
           (top.gain + patience_ * above.gain) * static_cast<double>(above.work);
  }

  // Go down to a part, repeat the cycle of the level, or go up until one is repeated.
  void end_pass() {
    Level& top = levels_.back();
    const bool complete = position_ == top.members.size();
    position_ = 0;
    top.cycle_gain = top.gain;
    top.cycle_work = top.work;
    if (complete && (levels_.size() == 1 || levels_[levels_.size() - 2].pays(top.gain, top.work))) {
      Level part = part_of(top);
      if (!part.members.empty()) {
        levels_.push_back(std::move(part));
        return;
      }
    }
    if (levels_.size() == 1) nap();
    while (levels_.size() > 1) {
      const Level& done = levels_.back();
      Level& above = levels_[levels_.size() - 2];
      above.cycle_gain += done.cycle_gain;
      above.cycle_work += done.cycle_work;
      if (above.pays(done.cycle_gain, done.cycle_work)) return;
      levels_.pop_back();
    }
  }

  // Where everything moves, pass after pass, there is nothing to learn for a while.
  void nap() {
    std::uint64_t cost = 0;
    for (const Move& move : moved_) cost += move.cost;
    busy_ = static_cast<double>(cost) >= kEverything * static_cast<double>(levels_[0].work)
                ? busy_ + 1
                : 0;
    naps_left_ = busy_ < 2
                     ? 0
                     : std::min<std::size_t>(std::size_t{1} << std::min<std::size_t>(busy_ - 2, 8),
                                             kLongestNap);
  }

  // The part that goes on; empty if a pass over it would not be short.
  Level part_of(const Level& level) {
    if (levels_.size() > 1) return those_above(share_, level, longest_);
    if (std::exchange(is_first_, false)) return {};
    Level moved = those_above(0.0, level, longest_);
    return moved.members.empty() ? payers(level) : moved;
  }

  // Those above the average if few of them gain most, twice in a row.
  Level payers(const Level& level) {
    Level part = those_above(1.0, level, kFew);
    double gain = 0.0;
    for (const Move& move : moved_)
      if (is_above(1.0, level, move)) gain += move.gain;
    const bool is_concentrated = !part.members.empty() && gain >= kMost * level.gain;
    concentrated_ = is_concentrated ? concentrated_ + 1 : 0;
    if (concentrated_ < 2) part.members.clear();
    return part;
  }

  // Whether a step gained at least a share of the average of its pass per entry.
  static bool is_above(double share, const Level& level, const Move& move) {
    return move.gain * static_cast<double>(level.work) >=
           share * level.gain * static_cast<double>(move.cost);
  }

  Level those_above(double share, const Level& level, double longest) const {
    Level part;
    std::uint64_t cost = 0;
    for (const Move& move : moved_) {
      if (!is_above(share, level, move)) continue;
      part.members.push_back(move.i);
      cost += move.cost;
      part.largest = std::max(part.largest, move.cost);
    }
    const double work = static_cast<double>(level.work);
    const bool is_short = static_cast<double>(cost) <= longest * work &&
                          static_cast<double>(part.largest) <= patience_ * work;
    if (!is_short) part.members.clear();
    return part;
  }

  static constexpr double kEverything = 0.95;  // of the work of a full pass, by those that moved
  static constexpr std::size_t kLongestNap = 8;
  static constexpr double kMost = 0.8,
                          kFew = 0.4;  // of gain and work, where a pass is concentrated
  double share_, longest_, patience_;
  std::vector<Level> levels_;  // from everything down to the set that is being passed over
  std::vector<double> half_modulus_;
  std::vector<Move> moved_;  // of the present pass, in order
  std::int32_t last_ = 0;
  std::size_t position_ = 0;
  std::size_t busy_ = 0, naps_left_ = 0;  // full passes in a row in which everything moved
  std::size_t concentrated_ = 0;          // and in which few gained most
  std::uint64_t touched_ = 0;
  bool begun_ = false, is_first_ = true;
};

}  // namespace

std::unique_ptr<Selector> make_focus(const std::string& name, const Parameters& parameters,
                                     const Descent& descent, Rng rng) {
  if (name != "focus") return nullptr;
  return std::make_unique<Focus>(rng, descent, parameters);
}

}  // namespace banditcd::engine
