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
  Focus(Rng rng, std::size_t d, double share) : Selector(rng), share_(share), gains_(d), costs_(d) {
    levels_.emplace_back();
    levels_[0].members.resize(d);
    std::iota(levels_[0].members.begin(), levels_[0].members.end(), 0);
  }

  std::size_t next(Descent& descent) override {
    if (begun_) {
      costs_[last_] = descent.entries() - touched_;
      if (position_ == levels_.back().members.size()) {
        end_pass();
        position_ = 0;
      }
    }
    begun_ = true;
    std::vector<std::int32_t>& members = levels_.back().members;
    if (position_ == 0) rng_.shuffle(members.data(), members.size());
    last_ = static_cast<std::size_t>(members[position_++]);
    touched_ = descent.entries();
    return last_;
  }
  void observe(const Descent&, std::size_t i, const Step& step) override {
    gains_[i] = std::max(step.decrease, 0.0);
  }
  Needs needs() const override { return {true, false}; }

 private:
  // Go down to a part, repeat the cycle of the level, or go up until one is repeated.
  void end_pass() {
    measure(levels_.back());
    const std::size_t top = levels_.size() - 1;
    if (top == 0 || levels_[top - 1].pays(levels_[top].gain, levels_[top].work)) {
      Level part = part_of(levels_[top]);
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

  void measure(Level& level) const {
    level.gain = 0.0;
    level.work = 0;
    for (const std::int32_t i : level.members) {
      level.gain += gains_[static_cast<std::size_t>(i)];
      level.work += costs_[static_cast<std::size_t>(i)];
    }
    level.cycle_gain = level.gain;
    level.cycle_work = level.work;
  }

  // The coordinates that moved (of everything) or pay (of a part); empty if a pass over them would
  // not be short.
  Level part_of(const Level& level) const {
    const double least = levels_.size() > 1 ? share_ * level.gain : 0.0;
    const double work = static_cast<double>(level.work);
    Level part;
    std::uint64_t cost = 0;
    for (const std::int32_t i : level.members) {
      const auto k = static_cast<std::size_t>(i);
      if (!(gains_[k] > 0.0 && gains_[k] * work >= least * static_cast<double>(costs_[k])))
        continue;
      part.members.push_back(i);
      cost += costs_[k];
    }
    if (2 * cost > level.work) part.members.clear();
    return part;
  }

  double share_;
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
  return std::make_unique<Focus>(rng, descent.size(), parameters.at("share"));
}

}  // namespace banditcd
