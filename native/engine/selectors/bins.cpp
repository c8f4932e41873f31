// Rules that refresh everything once per bin and act on stale estimates inside it.
#include <cmath>

#include "engine/argmax_tree.hpp"
#include "engine/bucket_queue.hpp"
#include "engine/sampling_tree.hpp"
#include "engine/selector.hpp"

namespace banditcd::engine {
namespace {

class Binned : public Selector {
 public:
  Binned(Rng rng, std::size_t bin) : Selector(rng), bin_(bin) {}

 protected:
  // Whether a bin begins with this step.
  bool new_bin() {
    const bool first = left_ == 0;
    left_ = (first ? bin_ : left_) - 1;
    return first;
  }

 private:
  std::size_t bin_, left_ = 0;
};

class GapPerEpoch final : public Binned {
 public:
  using Binned::Binned;
  std::size_t next(Descent& descent) override {
    if (new_bin()) refresh(descent);
    if (!(tree_.total() > 0.0)) return rng_.integer(descent.size());
    return tree_.draw(rng_.uniform());
  }

 private:
  void refresh(Descent& descent) {
    double* gap = tree_.values(descent.size());
    descent.correlations(gap);
    for (std::size_t i = 0; i < descent.size(); ++i)
      gap[i] = descent.penalty().residue(i, descent.x()[i], gap[i]).gap;
    tree_.rebuild();
  }
  SamplingTree tree_;
};

class SqrtR final : public Binned {
 public:
  SqrtR(Rng rng, std::size_t bin, double epsilon) : Binned(rng, bin), epsilon_(epsilon) {}
  std::size_t next(Descent& descent) override {
    if (new_bin()) refresh(descent);
    if (rng_.uniform() < epsilon_) return rng_.integer(descent.size());
    if (!(tree_.total() > 0.0)) return rng_.integer(descent.size());
    return tree_.draw(rng_.uniform());
  }

 private:
  void refresh(Descent& descent) {
    double* weight = tree_.values(descent.size());
    descent.marginal_decreases(weight);
    for (std::size_t i = 0; i < descent.size(); ++i) weight[i] = std::sqrt(weight[i]);
    tree_.rebuild();
  }
  double epsilon_;
  SamplingTree tree_;
};

// Algorithm 1 of the paper, with an exact or an approximate argmax.
template <class Argmax>
class BMaxR final : public Binned {
 public:
  BMaxR(Rng rng, std::size_t bin, double epsilon) : Binned(rng, bin), epsilon_(epsilon) {}
  std::size_t next(Descent& descent) override {
    if (new_bin()) {
      descent.marginal_decreases(estimates_.values(descent.size()));
      estimates_.rebuild();
    }
    if (rng_.uniform() < epsilon_) return rng_.integer(descent.size());
    return estimates_.all_zero() ? rng_.integer(descent.size()) : estimates_.argmax();
  }
  void observe(const Descent&, std::size_t i, const Step& step) override {
    estimates_.set(i, step.r_after);
  }
  Needs needs() const override { return {false, true}; }

 private:
  double epsilon_;
  Argmax estimates_;
};

}  // namespace

std::unique_ptr<Selector> make_binned(const std::string& name, const Parameters& p,
                                      const Descent& descent, Rng rng) {
  if (name == "gap_per_epoch") return std::make_unique<GapPerEpoch>(rng, p.bin(descent.size()));
  if (name == "sqrt_r") return std::make_unique<SqrtR>(rng, p.bin(descent.size()), p.at("epsilon"));
  if (name == "b_max_r") {
    if (p.at("argmax") == 0.0)
      return std::make_unique<BMaxR<ArgmaxTree>>(rng, p.bin(descent.size()), p.at("epsilon"));
    return std::make_unique<BMaxR<BucketQueue>>(rng, p.bin(descent.size()), p.at("epsilon"));
  }
  return nullptr;
}

}  // namespace banditcd::engine
