#include "logistic/model_problem.hpp"

#include <algorithm>

namespace banditcd::logistic {

void WeightedColumns::find_means(const Design& design, const Rowspace& rows,
                                 const PoolColumns& pool, Watch& watch) {
  buffer_.assign(pool.size(), 0.0);
  if (centered_)
    design.correlate(pool.column.data(), pool.size(), rows.weight, buffer_.data(), watch);
  for (std::size_t t = 0; t < pool.size(); ++t)
    facts_.mean[pool.column[t]] = buffer_[t] / rows.total_weight;
}

void WeightedColumns::find_squares(const Design& design, const Rowspace& rows,
                                   const PoolColumns& pool, Watch& watch) {
  buffer_.resize(pool.size());
  design.weighted_squares(pool.column.data(), pool.size(), rows.weight, buffer_.data(), watch);
  for (std::size_t t = 0; t < pool.size(); ++t) {
    const double mean = facts_.mean[pool.column[t]];
    facts_.square[pool.column[t]] = std::max(buffer_[t] - rows.total_weight * mean * mean, 0.0);
  }
}

}  // namespace banditcd::logistic
