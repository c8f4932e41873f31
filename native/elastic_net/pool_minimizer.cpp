#include "elastic_net/pool_minimizer.hpp"

namespace banditcd::elastic_net {

bool PoolMinimizer::solve(const TrainingData& data, const Residual& residual, Pool& pool,
                          double target, double enough, Watch& watch) {
  Quadratic problem = pool.problem();
  costly_ = false;
  if (pool.gram() == Pool::Gram::kNone) {
    trial_ = residual.weighted();
    ResidualProblem view{&data.design(),        &data.space(), &data.facts(), problem.size,
                         pool.columns().data(), problem.g,     problem.x,     problem.c,
                         trial_.data(),         pool.limit()};
    view.enough = enough;
    residual_.solve(view, target, watch);
    costly_ = residual_.costly();
    residual_.settle_free_columns(view, watch);
    return true;
  }
  const std::size_t rank = data.design().rows() - (data.fit().intercept ? 1 : 0);
  inner_.solve(problem, target, rank, watch);
  free_.project(problem, watch);
  return !problem.rough || !inner_.too_rough();
}

}  // namespace banditcd::elastic_net
