#include "elastic_net/free_columns.hpp"

#include <algorithm>
#include <vector>

namespace banditcd::elastic_net {
namespace {

constexpr double kRidge = 1e-9;
constexpr double kPivot = 1e-13;
constexpr int kSteps = 4;

}  // namespace

void FreeColumns::project(const Quadratic& pool, Watch& watch) {
  std::vector<std::size_t> free;
  for (std::size_t t = 0; t < pool.size; ++t)
    if (pool.g[t].free() && pool.x[t] > pool.g[t].lower && pool.x[t] < pool.g[t].upper)
      free.push_back(t);
  if (free.empty()) return;
  for (double ridge = 0.0;; ridge = std::max(kRidge, 100.0 * ridge)) {
    factor_.resize(free.size());
    for (std::size_t i = 0; i < free.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) factor_.row(i)[j] = pool.row(free[i])[free[j]];
      factor_.row(i)[i] = pool.curvature(free[i]) * (1.0 + ridge);
    }
    if (factor_.factor(kPivot, watch) || ridge > 1.0) break;
  }
  std::vector<double> step(free.size());
  for (int repeat = 0; repeat < kSteps; ++repeat) {
    for (std::size_t t = 0; t < free.size(); ++t) step[t] = pool.c[free[t]];
    factor_.solve(step.data());
    for (std::size_t t = 0; t < free.size(); ++t) {
      const double to = pool.g[free[t]].clip(pool.x[free[t]] + step[t]);
      pool.move(free[t], to - pool.x[free[t]]);
    }
    watch.check();
  }
}

}  // namespace banditcd::elastic_net
