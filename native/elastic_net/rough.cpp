// One solve on many rows: a Gram matrix in single precision models the changes, and everything that
// is believed comes from the true residual (iterative refinement).
#include <algorithm>

#include "elastic_net/solver.hpp"
#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {

bool RecordSolver::rough_offered() const {
  return !refused_rough_ && solves_expected_ == 1 && !data_.sample_weight &&
         design_->offers_rough() && design_->rows() >= 2 * design_->cols();
}

// Whether the products with these columns take long enough, and nothing needs more than a model.
bool RecordSolver::rough_pays(std::size_t entering) const {
  if (rough_) return true;
  const double n = static_cast<double>(design_->rows()), k = static_cast<double>(entering),
               old = static_cast<double>(pool_.size());
  if (!rough_offered() || kProduct * n * k * (old + 0.5 * k) < kRoughFrom) return false;
  return std::none_of(eligible_.begin(), eligible_.end(),
                      [&](Index j) { return penalties_.at(j).free(); });
}

// The model is not good enough for these columns: the products again, in double.
void RecordSolver::make_exact(Watch& watch) {
  const PhaseTimer timer(watch, phases_.gram);
  read(pool_.make_exact(*design_, space_, facts_, null_square_, watch));
  rough_ = false;
  refused_rough_ = true;
}

}  // namespace banditcd::elastic_net
