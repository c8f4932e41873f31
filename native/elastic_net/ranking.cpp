#include "elastic_net/ranking.hpp"

#include <algorithm>
#include <cmath>

#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {

void Ranking::rank(const LazyColumns& columns, const std::vector<double>& square,
                   const Penalties& penalties) {
  violators_ = 0;
  scores_.clear();
  for (const Index j : columns.evaluated()) {
    const double u = columns.correlation(j);
    if (std::abs(u) < kNearThreshold * penalties.threshold(j)) continue;
    const Penalty g = penalties.at(j);
    const double excess = g.excess(u), h = square[j] + g.m;
    if (excess > 0.0) {
      scores_.push_back({0.5 * excess * excess / h, j});
      ++violators_;
    } else if (std::abs(u) <= g.l) {
      scores_.push_back({-0.5 * (g.l - std::abs(u)) * (g.l - std::abs(u)) / h, j});
    }
  }
}

bool Ranking::enough(std::size_t support) const {
  const auto of_support = static_cast<std::size_t>(kLikelyEnough * static_cast<double>(support));
  return violators_ >= std::max(kLikelyLeast, of_support);
}

std::vector<Index> Ranking::best(std::size_t count) {
  std::vector<Index> out;
  if (violators_ == 0) return out;
  count = std::min(count, scores_.size());
  const auto larger = [](const Score& a, const Score& b) { return a.r > b.r; };
  std::nth_element(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(count - 1),
                   scores_.end(), larger);
  out.reserve(count);
  for (std::size_t t = 0; t < count; ++t) out.push_back(scores_[t].j);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace banditcd::elastic_net
