// Selectors that look at nothing, and fixed importance sampling.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/sampling_tree.hpp"
#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

class Uniform final : public Selector {
 public:
  using Selector::Selector;
  std::size_t next(Descent& descent) override { return rng_.integer(descent.size()); }
};

class Cyclic final : public Selector {
 public:
  using Selector::Selector;
  std::size_t next(Descent& descent) override {
    const std::size_t i = next_;
    next_ = i + 1 == descent.size() ? 0 : i + 1;
    return i;
  }

 private:
  std::size_t next_ = 0;
};

class Shuffled final : public Selector {
 public:
  Shuffled(Rng rng, std::size_t d) : Selector(rng), order_(d), position_(d) {
    std::iota(order_.begin(), order_.end(), 0);
  }
  std::size_t next(Descent&) override {
    if (position_ == order_.size()) {
      rng_.shuffle(order_.data(), order_.size());
      position_ = 0;
    }
    return static_cast<std::size_t>(order_[position_++]);
  }

 private:
  std::vector<std::int32_t> order_;
  std::size_t position_;
};

class Importance final : public Selector {
 public:
  Importance(Rng rng, const Descent& descent) : Selector(rng) {
    const Penalty& g = descent.penalty();
    const std::size_t d = descent.size();
    std::vector<double> support(d), weights(d, 0.0);
    bool curved = true;
    for (std::size_t i = 0; i < d; ++i) {
      support[i] = std::max(std::fabs(g.lower(i)), std::fabs(g.upper(i)));
      curved = curved && (g.mu(i) > 0.0 || support[i] == 0.0);
    }
    for (std::size_t i = 0; i < d; ++i) {
      if (support[i] == 0.0) continue;  // fixed at 0: never drawn
      weights[i] = curved ? g.mu(i) + descent.h()[i] : support[i] * std::sqrt(descent.h()[i]);
    }
    tree_.assign(weights);
  }
  std::size_t next(Descent& descent) override {
    if (!(tree_.total() > 0.0)) return rng_.integer(descent.size());
    return tree_.draw(rng_.uniform());
  }

 private:
  SamplingTree tree_;
};

}  // namespace

std::unique_ptr<Selector> make_order(const std::string& name, const Parameters&,
                                     const Descent& descent, Rng rng) {
  if (name == "uniform") return std::make_unique<Uniform>(rng);
  if (name == "cyclic") return std::make_unique<Cyclic>(rng);
  if (name == "shuffled") return std::make_unique<Shuffled>(rng, descent.size());
  if (name == "importance") return std::make_unique<Importance>(rng, descent);
  return nullptr;
}

}  // namespace banditcd::engine
