// Marginal decreases of the columns outside the pool,
//   r_j = (|u_j| - p_j l1)_+^2 / (2 (|x_j|^2 + p_j l2)),
// by which they enter it; columns that nearly violate rank behind those that do.
#pragma once
#include <vector>

#include "solve/lazy_columns.hpp"

namespace banditcd::elastic_net {

class Ranking {
 public:
  // Ranks the columns that the last pass evaluated.
  void rank(const LazyColumns& columns, const std::vector<double>& square,
            const Penalties& penalties);
  // Whether the violators are enough for a bin that looked at the likely columns only.
  bool enough(std::size_t support) const;
  // The best columns in increasing order, at most count; none if none violates.
  std::vector<Index> best(std::size_t count);

 private:
  struct Score {
    double r;
    Index j;
  };
  std::vector<Score> scores_;
  std::size_t violators_ = 0;
};

}  // namespace banditcd::elastic_net
