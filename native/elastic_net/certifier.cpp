#include "elastic_net/certifier.hpp"

#include <cmath>

namespace banditcd::elastic_net {

void Certifier::collect(Pool& pool) {
  terms_.clear();
  const Quadratic problem = pool.problem();
  for (std::size_t t = 0; t < problem.size; ++t)
    if (problem.x[t] != 0.0 || std::abs(problem.c[t]) >= kNearThreshold * problem.g[t].l)
      terms_.add(problem.x[t], problem.c[t], problem.g[t]);
}

Certificate Certifier::certify_pool(Pool& pool, const Residual& residual) {
  collect(pool);
  return banditcd::certify(terms_, residual.square());
}

Certificate Certifier::certify(const TrainingData& data, Pool& pool, const LazyColumns& outside,
                               const Residual& residual) {
  collect(pool);
  const Penalties& penalties = pool.penalties();
  const bool plain = penalties.plain();
  for (const Index j : outside.evaluated()) {
    const double u = outside.correlation(j), l = penalties.threshold(j);
    if (std::abs(u) < kNearThreshold * l) continue;
    if (plain)
      terms_.limit(std::abs(u), l);
    else
      terms_.add(0.0, u, penalties.at(j));
  }
  Certificate out = banditcd::certify(terms_, residual.square());
  if (!pool.orthogonal_to_free_columns(data)) out.gap = kInfinity;
  return out;
}

}  // namespace banditcd::elastic_net
