#include "multinomial/regime.hpp"

#include <algorithm>

#include "kernels/prices.hpp"
#include "multinomial/limited_memory.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

double Regimes::pass_cost() const {
  return X_.pass_cost() * static_cast<double>(problem_.classes());
}

double Regimes::blocks_cost() const {
  return static_cast<double>(problem_.classes()) * (X_.normal_cost() + factor_cost(problem_.cols));
}

bool Regimes::blocks_fit() const {
  const double columns = static_cast<double>(problem_.cols);
  return 8.0 * static_cast<double>(problem_.classes()) * columns * columns <= kMostBytes;
}

bool Regimes::memoryless() const { return blocks_cost() < kMemoryless; }

// The whole Hessian of a sample, if that costs less than the blocks of all rows. Blocks where their
// products and factors cost next to nothing, or less than a few dozen passes; else quasi-Newton
// steps, while their memory has room. These are there first if the target is loose, unless the
// start is good.
Preconditioning Regimes::choose(double tol, bool sampled) const {
  if (memoryless()) return Preconditioning::kBlocks;
  const double classes = static_cast<double>(problem_.classes());
  const double most = kBlockPasses * pass_cost();
  if (Coupled::cost(problem_, X_) < std::min(blocks_cost(), most)) return Preconditioning::kCoupled;
  if ((sampled || tol < kLoose) && blocks_fit()) {
    if (blocks_cost() < most) return Preconditioning::kBlocks;
    if (X_.normal_cost() + 4.0 * classes * factor_cost(problem_.cols) < most)
      return Preconditioning::kShared;
  }
  const double coordinates = classes * static_cast<double>(problem_.cols);
  const bool room = LimitedMemory::bytes(coordinates) <= kMostBytes;
  return room ? Preconditioning::kMemory : Preconditioning::kDiagonal;
}

}  // namespace banditcd::multinomial
