// Shuffled passes over everything, and over the coordinates that pay while they do.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/selector.hpp"

namespace banditcd {
namespace {

// A set of coordinates and its cycle: one pass over all of it, then cycles over a part.
struct Level {
  std::vector<std::int32_t> members;
  // Of the pass: the rate at which a part has to pay.
  double gain = 0.0;
  std::uint64_t work = 0;
  // Of the cycle so far.
  double cycle_gain = 0.0;
  std::uint64_t cycle_work = 0;

  bool pays(double g, std::uint64_t w) const {
    return g * static_cast<double>(work) > gain * static_cast<double>(w);
  }
};

class Focus final : public Selector {
 public:
  Focus(Rng rng, std::size_t d, const Parameters& parameters)
      : Selector(rng),
        share_(parameters.at("share")),
        longest_(parameters.at("longest")),
        patience_(parameters.at("patience")),
        levels_(1),
        gains_(d),
        costs_(d) {
    levels_[0].members.resize(d);
    std::iota(levels_[0].members.begin(), levels_[0].members.end(), 0);
  }

  std::size_t next(Descent& descent) override {
    if (begun_) {
      costs_[last_] = descent.entries() - touched_;
      levels_.back().work += costs_[last_];
      if (position_ == levels_.back().members.size() || gives_up()) end_pass();
    }
    begun_ = true;
    Level& top = levels_.back();
    if (position_ == 0) {
      rng_.shuffle(top.members.data(), top.members.size());
      top.gain = 0.0;
      top.work = 0;
    }
    last_ = static_cast<std::size_t>(top.members[position_++]);
    touched_ = descent.entries();
    return last_;
  }
  void observe(const Descent&, std::size_t i, const Step& step) override {
    gains_[i] = std::max(step.decrease, 0.0);
    levels_.back().gain += gains_[i];
  }
  Needs needs() const override { return {true, false}; }

 private:
  // Whether one step more could cost more than patience allows.
  bool gives_up() const {
    if (levels_.size() == 1) return false;
    const Level &top = levels_.back(), &above = levels_[levels_.size() - 2];
    const std::uint64_t work = top.work + costs_[static_cast<std::size_t>(top.members[position_])];
    return static_cast<double>(work) * above.gain >
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
    while (levels_.size() > 1) {
      const Level& done = levels_.back();
      Level& above = levels_[levels_.size() - 2];
      above.cycle_gain += done.cycle_gain;
      above.cycle_work += done.cycle_work;
      if (above.pays(done.cycle_gain, done.cycle_work)) return;
      levels_.pop_back();
    }
  }

  // The coordinates that moved (of everything) or pay (of a smaller set); none if a pass over them
  // would not be short.
  Level part_of(const Level& level) const {
    const double least = levels_.size() > 1 ? share_ * level.gain : 0.0;
    const double work = static_cast<double>(level.work);
    Level part;
    std::uint64_t cost = 0, largest = 0;
    for (const std::int32_t i : level.members) {
      const double gain = gains_[static_cast<std::size_t>(i)];
      const std::uint64_t own = costs_[static_cast<std::size_t>(i)];
      if (!(gain > 0.0 && gain * work >= least * static_cast<double>(own))) continue;
      part.members.push_back(i);
      cost += own;
      largest = std::max(largest, own);
    }
    const bool is_short = static_cast<double>(cost) <= longest_ * work &&
                          static_cast<double>(largest) <= patience_ * work;
    if (!is_short) part.members.clear();
    return part;
  }

  double share_, longest_, patience_;
  std::vector<Level> levels_;  // from everything down to the set that is being passed over
  std::vector<double> gains_;  // of the last step on each coordinate
  std::vector<std::uint64_t> costs_;
  std::size_t last_ = 0, position_ = 0;
  std::uint64_t touched_ = 0;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Selector> make_focus(const std::string& name, const Parameters& parameters,
                                     const Descent& descent, Rng rng) {
  if (name != "focus") return nullptr;
  return std::make_unique<Focus>(rng, descent.size(), parameters);
}

}  // namespace banditcd
