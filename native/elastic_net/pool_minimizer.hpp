// The inner solve: minimization over the pool, in Gram space or on the residual itself.
#pragma once
#include <vector>

#include "elastic_net/free_columns.hpp"
#include "elastic_net/pool.hpp"
#include "elastic_net/residual.hpp"
#include "quadratic/inner.hpp"
#include "quadratic/residual.hpp"

namespace banditcd::elastic_net {

class PoolMinimizer {
 public:
  // Lowers the gap of the pool problem to target (absolute), or as far as rounding allows. Without
  // a Gram matrix it may end below enough, where the rest is not cheap. False if the Gram matrix is
  // too rough for these columns.
  bool solve(const TrainingData& data, const Residual& residual, Pool& pool, double target,
             double enough, Watch& watch);
  // Whether the last solve did end there.
  bool costly() const { return costly_; }
  // Epochs and Newton steps since count_from_zero().
  std::size_t epochs() const { return inner_.epochs() + residual_.epochs() - epochs_before_; }
  std::size_t newtons() const { return inner_.newtons() - newtons_before_; }
  void count_from_zero() {
    epochs_before_ = inner_.epochs() + residual_.epochs();
    newtons_before_ = inner_.newtons();
  }

 private:
  InnerSolver inner_;
  FreeColumns free_;
  ResidualSolver residual_;
  std::vector<double> trial_;  // the weighted residual that the residual solver changes
  std::size_t epochs_before_ = 0, newtons_before_ = 0;
  bool costly_ = false;
};

}  // namespace banditcd::elastic_net
