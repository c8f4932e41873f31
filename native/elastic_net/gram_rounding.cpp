#include "elastic_net/gram_rounding.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "solve/strategy.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kEpsilon = 1.1102230246251565e-16;

}  // namespace

GramRounding rounding_of(const TrainingData& data, const Pool& pool) {
  const Design& design = data.design();
  const double chain =
      static_cast<double>(design.sparse() ? design.rows() : design.rows() / kGramRows + 64);
  GramRounding out;
  out.gamma = 4.0 * kEpsilon * design.gram_rounding() * (chain + static_cast<double>(pool.size()));
  out.bound =
      std::sqrt(data.null_square() + data.space().total_weight * data.y_mean() * data.y_mean());
  for (std::size_t t = 0; t < pool.size(); ++t)
    if (pool.x()[t] != 0.0) out.bound += std::abs(pool.x()[t]) * pool.raw_norm(t);
  return out;
}

// The sums are off by the total. A scale t that is too large for the L1 boxes by a share has to
// shrink by that, and takes at most this share of the value with it, which is concave in t and zero
// at zero.
double proven_dual(double value, const Pool& pool, const GramRounding& error) {
  double share = 0.0;
  for (std::size_t t = 0; t < pool.size(); ++t) {
    const double l = pool.penalties().threshold(static_cast<std::size_t>(pool.columns()[t]));
    if (l > 0.0)
      share = std::max(share, error.of_correlation(pool.raw_norm(t)) / (kNearThreshold * l));
  }
  return std::max(0.0, value - error.total()) * std::max(0.0, 1.0 - share);
}

}  // namespace banditcd::elastic_net
