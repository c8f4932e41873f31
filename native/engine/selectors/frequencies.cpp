// Rules without any refresh that learn from the decreases they obtain.
#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

// Adaptive coordinate frequencies: blocks of about d steps drawn up from the preferences.
class Acf final : public Selector {
 public:
  Acf(Rng rng, std::size_t d, double rate)
      : Selector(rng),
        rate_(rate),
        sum_(static_cast<double>(d)),
        preference_(d, 1.0),
        credit_(d, 0.0) {}

  std::size_t next(Descent&) override {
    while (position_ == block_.size()) draw_up();
    return static_cast<std::size_t>(block_[position_++]);
  }
  void observe(const Descent&, std::size_t i, const Step& step) override {
    const double d = static_cast<double>(preference_.size());
    if (++seen_ <= preference_.size()) {
      mean_ += step.decrease / d;
      return;
    }
    if (mean_ > 0.0) {
      const double old = preference_[i];
      const double factor = std::exp(std::min(rate_ * (step.decrease / mean_ - 1.0), 100.0));
      preference_[i] = std::min(std::max(old * factor, kLowest), kHighest);
      sum_ += preference_[i] - old;
    }
    mean_ += (step.decrease - mean_) / d;
  }
  Needs needs() const override { return {true, false}; }

 private:
  void draw_up() {
    const double share = static_cast<double>(preference_.size()) / sum_;
    block_.clear();
    for (std::size_t i = 0; i < preference_.size(); ++i) {
      credit_[i] += preference_[i] * share;
      const double times = std::floor(credit_[i]);
      credit_[i] -= times;
      block_.insert(block_.end(), static_cast<std::size_t>(times), static_cast<std::int32_t>(i));
    }
    rng_.shuffle(block_.data(), block_.size());
    position_ = 0;
  }

  static constexpr double kLowest = 1.0 / 20.0, kHighest = 20.0;
  double rate_, sum_, mean_ = 0.0;
  std::vector<double> preference_, credit_;
  std::vector<std::int32_t> block_;
  std::size_t position_ = 0, seen_ = 0;
};

// Revisit periods: the next due coordinate is taken.
class Calendar final : public Selector {
 public:
  Calendar(Rng rng, std::size_t d, double longest)
      : Selector(rng),
        longest_(longest * static_cast<double>(d)),
        period_(d, static_cast<double>(d)) {
    std::vector<std::int32_t> order(d);
    for (std::size_t i = 0; i < d; ++i) order[i] = static_cast<std::int32_t>(i);
    rng_.shuffle(order.data(), d);
    for (std::size_t k = 0; k < d; ++k)
      due_.emplace(static_cast<double>(k), static_cast<std::size_t>(order[k]));
  }
  std::size_t next(Descent&) override {
    const auto [date, i] = due_.top();
    due_.pop();
    now_ = date;
    return i;
  }
  void observe(const Descent&, std::size_t i, const Step& step) override {
    const double gain = std::max(step.decrease, 0.0);
    mean_ += (gain - mean_) / static_cast<double>(period_.size());
    const double ratio = gain > 0.0 ? std::sqrt(mean_ / gain) : 2.0;
    const double period = period_[i] * std::min(std::max(ratio, 0.5), 2.0);
    period_[i] = std::min(std::max(period, 1.0), longest_);
    due_.emplace(now_ + period_[i], i);
  }
  Needs needs() const override { return {true, false}; }

 private:
  using Entry = std::pair<double, std::size_t>;
  double longest_, now_ = 0.0, mean_ = 0.0;
  std::vector<double> period_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> due_;
};

}  // namespace

std::unique_ptr<Selector> make_frequency(const std::string& name, const Parameters& parameters,
                                         const Descent& descent, Rng rng) {
  if (name == "acf") return std::make_unique<Acf>(rng, descent.size(), parameters.at("rate"));
  if (name == "calendar")
    return std::make_unique<Calendar>(rng, descent.size(), parameters.at("longest"));
  return nullptr;
}

}  // namespace banditcd::engine
