// Rules that look at every coordinate before every step: one pass over A each.
#include <cmath>
#include <vector>

#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

// A score of every coordinate from x_i and u_i, then a draw or an argmax.
template <class Score>
class FullInformation final : public Selector {
 public:
  FullInformation(Rng rng, bool samples, Score score)
      : Selector(rng), samples_(samples), score_(score) {}
  std::size_t next(Descent& descent) override {
    u_.resize(descent.size());
    scores_.resize(descent.size());
    descent.correlations(u_.data());
    for (std::size_t i = 0; i < u_.size(); ++i) scores_[i] = score_(descent, i, u_[i]);
    return samples_ ? draw(scores_) : greedy(scores_);
  }

 private:
  bool samples_;
  Score score_;
  std::vector<double> u_, scores_;
};

template <class Score>
std::unique_ptr<Selector> full(Rng rng, bool samples, Score score) {
  return std::make_unique<FullInformation<Score>>(rng, samples, score);
}

double gap(const Descent& descent, std::size_t i, double u) {
  return descent.penalty().residue(i, descent.x()[i], u).gap;
}
double weighted_kappa(const Descent& descent, std::size_t i, double u) {
  const double kappa = descent.penalty().residue(i, descent.x()[i], u).kappa;
  return std::fabs(kappa) * std::sqrt(descent.h()[i] + descent.penalty().mu(i));
}
double marginal_decrease(const Descent& descent, std::size_t i, double u) {
  return descent.penalty().marginal_decrease(i, descent.x()[i], u, descent.h()[i]);
}

// The three rules of Nutini et al. for kinks, in the order of GaussSouthwell.RULES.
struct GaussSouthwell {
  int rule;
  bool lipschitz;
  double operator()(const Descent& descent, std::size_t i, double u) const {
    const Penalty& g = descent.penalty();
    const double x = descent.x()[i], h = descent.h()[i];
    const double root = lipschitz ? std::sqrt(h + g.mu(i)) : 1.0;
    if (rule == 0) return g.violation(i, x, u) / root;
    const double target = g.prox(i, x, u, h), move = target - x;
    if (rule == 1) return std::fabs(move) * root;
    return u * move - 0.5 * h * move * move + (g.value(i, x) - g.value(i, target));
  }
};

}  // namespace

std::unique_ptr<Selector> make_full(const std::string& name, const Parameters& parameters,
                                    const Descent&, Rng rng) {
  if (name == "ada_gap") return full(rng, true, gap);
  if (name == "ada_kappa") return full(rng, true, weighted_kappa);
  if (name == "max_gap") return full(rng, false, gap);
  if (name == "max_r") return full(rng, false, marginal_decrease);
  if (name == "gauss_southwell")
    return full(
        rng, false,
        GaussSouthwell{static_cast<int>(parameters.at("rule")), parameters.at("lipschitz") != 0.0});
  return nullptr;
}

}  // namespace banditcd::engine
