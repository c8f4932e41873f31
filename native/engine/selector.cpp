#include "engine/selector.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::engine {

std::size_t Selector::greedy(const std::vector<double>& scores) {
  const auto best = std::max_element(scores.begin(), scores.end());
  if (!(*best > 0.0)) return rng_.integer(scores.size());
  return static_cast<std::size_t>(best - scores.begin());
}

std::size_t Selector::draw(const std::vector<double>& weights) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  if (!(total > 0.0)) return rng_.integer(weights.size());
  const double target = rng_.uniform() * total;
  double sum = 0.0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0.0)) continue;
    sum += weights[i];
    last = i;
    if (sum > target) break;
  }
  return last;
}

std::size_t Parameters::bin(std::size_t d) const {
  const double steps = at("refresh_steps");
  if (steps > 0.0) return static_cast<std::size_t>(steps);
  // Half to even, as Python rounds.
  const double rounded = std::nearbyint(at("refresh_fraction") * static_cast<double>(d));
  return std::max<std::size_t>(1, static_cast<std::size_t>(rounded));
}

std::unique_ptr<Selector> make_selector(const std::string& name, const Parameters& parameters,
                                        const Descent& descent, Rng rng) {
  for (auto make :
       {make_order, make_full, make_binned, make_bandit, make_frequency, make_ascd, make_focus})
    if (auto selector = make(name, parameters, descent, rng)) return selector;
  return nullptr;
}

}  // namespace banditcd::engine
