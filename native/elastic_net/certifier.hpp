// Certificates of the point of a pool: of the problem restricted to the pool, and of the whole.
#pragma once
#include "elastic_net/pool.hpp"
#include "elastic_net/residual.hpp"
#include "solve/certificate.hpp"
#include "solve/lazy_columns.hpp"

namespace banditcd::elastic_net {

class Certifier {
 public:
  // The gap of the problem restricted to the pool.
  Certificate certify_pool(Pool& pool, const Residual& residual);
  // The gap, from the pool and the columns that a lazy pass evaluated outside; infinite if a column
  // without penalty is not orthogonal to the residual.
  Certificate certify(const TrainingData& data, Pool& pool, const LazyColumns& outside,
                      const Residual& residual);

 private:
  void collect(Pool& pool);

  Terms terms_;
};

}  // namespace banditcd::elastic_net
