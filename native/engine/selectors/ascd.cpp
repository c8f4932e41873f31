// Approximate steepest coordinate descent: sample from a set of surely steep coordinates.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

class Ascd final : public Selector {
 public:
  Ascd(Rng rng, const Descent& descent) : Selector(rng), root_(descent.size()) {
    for (std::size_t i = 0; i < root_.size(); ++i) root_[i] = std::sqrt(descent.h()[i]);
  }
  std::size_t next(Descent& descent) override {
    if (known_.empty()) {
      known_.resize(descent.size());
      descent.correlations(known_.data());
      when_.assign(known_.size(), 0.0);
    } else {
      travel_ += std::fabs(descent.last_move()) * root_[last_];
      known_[last_] = descent.last_correlation();
      when_[last_] = travel_;
    }
    bracket(descent);
    shrink();
    last_ = active_[rng_.integer(active_.size())];
    return last_;
  }

 private:
  // Squared bounds on the violation of every coordinate.
  void bracket(const Descent& descent) {
    const std::size_t d = known_.size();
    low_.resize(d);
    high_.resize(d);
    for (std::size_t i = 0; i < d; ++i) {
      const double reach = root_[i] * (travel_ - when_[i]);
      double left, right;
      descent.penalty().subdifferential(i, descent.x()[i], &left, &right);
      const double low = std::max({left - (known_[i] + reach), (known_[i] - reach) - right, 0.0});
      const double high = std::max({left - (known_[i] - reach), (known_[i] + reach) - right, 0.0});
      low_[i] = low * low;
      high_[i] = high * high;
    }
  }
  // Drop i while its upper bound is below the mean lower bound of the set.
  void shrink() {
    active_.resize(known_.size());
    for (std::size_t i = 0; i < active_.size(); ++i) active_[i] = i;
    while (true) {
      double mean = 0.0;
      for (const std::size_t i : active_) mean += low_[i];
      mean /= static_cast<double>(active_.size());
      const auto end = std::remove_if(active_.begin(), active_.end(),
                                      [&](std::size_t i) { return high_[i] < mean; });
      if (end == active_.end() || end == active_.begin()) return;
      active_.erase(end, active_.end());
    }
  }

  std::vector<double> root_, known_, when_, low_, high_;
  std::vector<std::size_t> active_;
  double travel_ = 0.0;
  std::size_t last_ = 0;
};

}  // namespace

std::unique_ptr<Selector> make_ascd(const std::string& name, const Parameters&,
                                    const Descent& descent, Rng rng) {
  if (name == "ascd") return std::make_unique<Ascd>(rng, descent);
  return nullptr;
}

}  // namespace banditcd::engine
