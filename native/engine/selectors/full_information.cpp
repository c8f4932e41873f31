// Rules that look at every coordinate before every step: one pass over A each, or a Gram column.
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

// All u_i before every step (selectors/gram.py): for quadratic f by columns of the Gram matrix.
class Correlations {
 public:
  Correlations(const Descent& descent, const Parameters& parameters)
      : gram_(descent.is_quadratic() && parameters.at("gram") != 0.0),
        room_(static_cast<std::size_t>(parameters.at("gram_bytes")) / (8 * descent.size())),
        u_(descent.size()) {}

  const std::vector<double>& at(Descent& descent) {
    ++looks_;
    if (looks_ == 1 || !gram_ || looks_ % (kRenewEpochs * u_.size()) == 0) {
      descent.correlations(u_.data());
      return u_;
    }
    const double move = descent.x()[last_] - before_;
    if (move == 0.0) return u_;
    if (const double* column = column_of(descent)) {
      for (std::size_t j = 0; j < u_.size(); ++j) u_[j] -= move * column[j];
      descent.charge(u_.size());
    } else {
      descent.correlations(u_.data());
    }
    return u_;
  }

  std::size_t chose(std::size_t i, const Descent& descent) {
    last_ = i;
    before_ = descent.x()[i];
    return i;
  }

 private:
  // Rounding does not pile up: u is computed afresh after kRenewEpochs d looks.
  static constexpr std::size_t kRenewEpochs = 50;

  // The column of the coordinate that moved last; nullptr if there is no room for it.
  const double* column_of(Descent& descent) {
    const auto known = columns_.find(last_);
    if (known != columns_.end()) return known->second.data();
    if (columns_.size() >= room_) return nullptr;
    std::vector<double>& column = columns_[last_];
    column.resize(u_.size());
    descent.gram_column(last_, column.data());
    return column.data();
  }

  bool gram_;
  std::size_t room_, looks_ = 0, last_ = 0;
  double before_ = 0.0;
  std::vector<double> u_;
  std::unordered_map<std::size_t, std::vector<double>> columns_;
};

// A score of every coordinate from x_i and u_i, then a draw or an argmax.
template <class Score>
class FullInformation final : public Selector {
 public:
  FullInformation(Rng rng, Correlations correlations, bool samples, Score score)
      : Selector(rng), correlations_(std::move(correlations)), samples_(samples), score_(score) {}
  std::size_t next(Descent& descent) override {
    const std::vector<double>& u = correlations_.at(descent);
    scores_.resize(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) scores_[i] = score_(descent, i, u[i]);
    return correlations_.chose(samples_ ? draw(scores_) : greedy(scores_), descent);
  }

 private:
  Correlations correlations_;
  bool samples_;
  Score score_;
  std::vector<double> scores_;
};

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
                                    const Descent& descent, Rng rng) {
  const auto full = [&](bool samples, auto score) -> std::unique_ptr<Selector> {
    return std::make_unique<FullInformation<decltype(score)>>(
        rng, Correlations(descent, parameters), samples, score);
  };
  if (name == "ada_gap") return full(true, gap);
  if (name == "ada_kappa") return full(true, weighted_kappa);
  if (name == "max_gap") return full(false, gap);
  if (name == "max_r") return full(false, marginal_decrease);
  if (name == "gauss_southwell")
    return full(false, GaussSouthwell{static_cast<int>(parameters.at("rule")),
                                      parameters.at("lipschitz") != 0.0});
  return nullptr;
}

}  // namespace banditcd::engine
