// Selectors: the native twins of banditcd.selectors, dispatched once per step.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "engine/descent.hpp"
#include "kernels/rng.hpp"

namespace banditcd::engine {

class Selector {
 public:
  explicit Selector(Rng rng) : rng_(rng) {}
  virtual ~Selector() = default;
  virtual std::size_t next(Descent& descent) = 0;
  // Called after every step if it needs anything of it.
  virtual void observe(const Descent&, std::size_t, const Step&) {}
  virtual Needs needs() const { return {false, false}; }

 protected:
  // First largest score; a uniform draw if every score is zero.
  std::size_t greedy(const std::vector<double>& scores);
  // In proportion to the weights; a uniform draw if every weight is zero.
  std::size_t draw(const std::vector<double>& weights);

  Rng rng_;
};

// Named numbers from the Python object, e.g. {"epsilon": 0.5}.
class Parameters {
 public:
  explicit Parameters(std::map<std::string, double> values) : values_(std::move(values)) {}
  double at(const std::string& name) const { return values_.at(name); }
  // Bin length: steps if given, else a fraction of d (selectors/base.py, steps_of).
  std::size_t bin(std::size_t d) const;

 private:
  std::map<std::string, double> values_;
};

// A selector of the registry for the given problem; nullptr for an unknown name.
std::unique_ptr<Selector> make_selector(const std::string& name, const Parameters& parameters,
                                        const Descent& descent, Rng rng);

// One factory per source file in selectors/; each returns nullptr for names it does not know.
std::unique_ptr<Selector> make_order(const std::string&, const Parameters&, const Descent&, Rng);
std::unique_ptr<Selector> make_full(const std::string&, const Parameters&, const Descent&, Rng);
std::unique_ptr<Selector> make_binned(const std::string&, const Parameters&, const Descent&, Rng);
std::unique_ptr<Selector> make_bandit(const std::string&, const Parameters&, const Descent&, Rng);
std::unique_ptr<Selector> make_frequency(const std::string&, const Parameters&, const Descent&,
                                         Rng);
std::unique_ptr<Selector> make_focus(const std::string&, const Parameters&, const Descent&, Rng);
std::unique_ptr<Selector> make_ascd(const std::string&, const Parameters&, const Descent&, Rng);

}  // namespace banditcd::engine
