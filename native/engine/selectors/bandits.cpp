// Bandits of other papers: reducing the variance, and finding the steepest coordinate.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/sampling_tree.hpp"
#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

class BanditVariance final : public Selector {
 public:
  BanditVariance(Rng rng, std::size_t d, double epsilon) : Selector(rng), d_(d), epsilon_(epsilon) {
    tree_.assign(std::vector<double>(d, 1.0));
  }
  std::size_t next(Descent&) override {
    if (rng_.uniform() < epsilon_) return rng_.integer(d_);
    return tree_.draw(rng_.uniform());
  }
  void observe(const Descent& descent, std::size_t i, const Step& step) override {
    ++round_;
    const double d = static_cast<double>(d_), floor = epsilon_ / d;
    const double p = (1.0 - epsilon_) * tree_.get(i) / tree_.total() + floor;
    const double slope = 2.0 * descent.h()[i] * std::max(step.decrease, 0.0) / (p * p);
    largest_ = std::max(largest_, slope);
    if (largest_ == 0.0) return;
    const double eta = floor * std::sqrt(std::log(std::max(d, 2.0)) / (d * round_));
    tree_.set(i, tree_.get(i) * std::exp(eta * slope / (largest_ * p)));
    if (tree_.get(i) > kLarge) tree_.scale(1.0 / kLarge);  // only ratios matter
  }
  Needs needs() const override { return {true, false}; }

 private:
  static constexpr double kLarge = 0x1.0p300;
  std::size_t d_;
  double epsilon_, largest_ = 0.0, round_ = 0.0;
  SamplingTree tree_;
};

class BanditGS final : public Selector {
 public:
  BanditGS(Rng rng, const Descent& descent, double budget, double epsilon)
      : Selector(rng), epsilon_(epsilon) {
    const double d = std::max<double>(static_cast<double>(descent.size()), 2.0);
    const double rounds = std::max(1.0, std::ceil(std::log2(d)));
    per_round_ = std::max(1.0, budget * static_cast<double>(descent.matrix_entries()) / rounds);
  }

  // Sequential halving: everybody is pulled, the better half stays.
  std::size_t next(Descent& descent) override {
    if (rng_.uniform() < epsilon_) return rng_.integer(descent.size());
    reset(descent);
    while (true) {
      const auto pulls = std::max<std::size_t>(
          1, static_cast<std::size_t>(per_round_ / static_cast<double>(arms_.size())));
      for (const std::size_t i : arms_) pull(descent, i, pulls);
      if (arms_.size() == 1) break;
      std::stable_sort(arms_.begin(), arms_.end(),
                       [&](std::size_t a, std::size_t b) { return score_[a] > score_[b]; });
      arms_.resize((arms_.size() + 1) / 2);
      std::sort(arms_.begin(), arms_.end());
    }
    const std::size_t best = arms_[0];
    return score_[best] > 0.0 ? best : rng_.integer(descent.size());
  }

 private:
  void reset(const Descent& descent) {
    const std::size_t d = descent.size();
    arms_.resize(d);
    std::iota(arms_.begin(), arms_.end(), std::size_t{0});
    start_.resize(d);
    for (std::size_t i = 0; i < d; ++i) start_[i] = rng_.integer(descent.column_entries(i));
    pulled_.assign(d, 0);
    total_.assign(d, 0.0);
    score_.assign(d, 0.0);
  }
  void pull(Descent& descent, std::size_t i, std::size_t pulls) {
    const std::size_t all = descent.column_entries(i), count = std::min(pulls, all - pulled_[i]);
    if (count > 0) {
      total_[i] += descent.partial_correlation(i, (start_[i] + pulled_[i]) % all, count);
      pulled_[i] += count;
    }
    const double scale = static_cast<double>(all) / static_cast<double>(pulled_[i]);
    score_[i] = descent.penalty().violation(i, descent.x()[i], total_[i] * scale);
  }

  double epsilon_, per_round_;
  std::vector<std::size_t> arms_, start_, pulled_;
  std::vector<double> total_, score_;
};

}  // namespace

std::unique_ptr<Selector> make_bandit(const std::string& name, const Parameters& parameters,
                                      const Descent& descent, Rng rng) {
  if (name == "bandit_variance")
    return std::make_unique<BanditVariance>(rng, descent.size(), parameters.at("epsilon"));
  if (name == "bandit_gs")
    return std::make_unique<BanditGS>(rng, descent, parameters.at("budget"),
                                      parameters.at("epsilon"));
  return nullptr;
}

}  // namespace banditcd::engine
