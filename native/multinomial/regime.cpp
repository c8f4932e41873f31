#include "multinomial/regime.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "multinomial/limited_memory.hpp"
#include "multinomial/passes.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

double Regimes::blocks_cost() const {
  return Preconditioner::cost(problem_, X_, Preconditioning::kBlocks);
}

bool Regimes::blocks_fit() const {
  const double columns = static_cast<double>(problem_.cols);
  return 8.0 * static_cast<double>(problem_.classes()) * columns * columns <= kMostBytes;
}

bool Regimes::memoryless() const { return blocks_cost() < kMemoryless; }

std::vector<Preconditioning> Regimes::enter(Arms& arms, double tol, bool sampled) const {
  std::vector<Preconditioning> out;
  for (const Preconditioning kind : kPreconditionings) {
    const double expected = expected_work(kind, tol, sampled);
    if (!(expected < kInfinity)) continue;
    arms.add(expected, kind == Preconditioning::kMemory     ? Arms::Kind::kSteady
                       : kind == Preconditioning::kDiagonal ? Arms::Kind::kQuickening
                                                            : Arms::Kind::kKnown);
    out.push_back(kind);
  }
  arms.begin();
  return out;
}

void Regimes::price_again(const std::vector<Preconditioning>& kinds, Arms& arms, double tol,
                          double share) const {
  if (kinds[arms.current()] != Preconditioning::kMemory) return;
  const double more = kSeparatedSteps * std::log(1.0 / std::clamp(share, 1e-300, 1.0));
  for (std::size_t arm = 0; arm < kinds.size(); ++arm)
    if (arm != arms.current() &&
        (kinds[arm] == Preconditioning::kBlocks || kinds[arm] == Preconditioning::kCoupled))
      arms.price_again(arm, expected_work(kinds[arm], tol, false, more));
}

std::vector<Preconditioning> Regimes::enter_only(Preconditioning kind, Arms& arms) {
  arms.add(0.0, Arms::Kind::kKnown);
  return {kind};
}

// Rows for each column: with many of them columns differ in curvature the more, and steps that know
// little of it are many.
double Regimes::crowd() const {
  const double columns = static_cast<double>(std::max<std::size_t>(problem_.cols, 1));
  const double ratio = static_cast<double>(problem_.count()) / columns;
  return std::clamp(1.0 + kCrowd * std::log2(ratio), kLeastCrowded, kMostCrowded);
}

// The first step with blocks has one product for all classes, and few others make new ones.
double Regimes::matrices(Preconditioning kind) const {
  const double cost = Preconditioner::cost(problem_, X_, kind);
  if (kind != Preconditioning::kBlocks) return kUpdates * cost;
  return Preconditioner::cost(problem_, X_, Preconditioning::kShared) + kBlockUpdates * cost;
}

double Regimes::expected_work(Preconditioning kind, double tol, bool sampled, double more) const {
  if (memoryless()) return kind == Preconditioning::kBlocks ? 0.0 : kInfinity;
  if (kind == Preconditioning::kShared) return kInfinity;  // no arm: it has to be asked for
  const double columns = static_cast<double>(problem_.cols);
  const double coordinates = static_cast<double>(problem_.classes()) * columns;
  const double product = class_product_cost(X_, problem_.width());
  const double point = class_rows_cost(X_, problem_.width(), kClassPoint);
  const double digits = std::clamp(-std::log10(tol), 1.0, 12.0);
  const double crowded = sampled ? 1.0 : crowd();
  if (kind == Preconditioning::kMemory) {
    if (LimitedMemory::bytes(coordinates) > kMostBytes) return kInfinity;
    return kQuasiSteps * digits * std::sqrt(digits) * crowded *
           (2.0 * product + point + kPairsEntry * coordinates);
  }
  const bool whole = kind == Preconditioning::kCoupled;
  if (whole && 8.0 * coordinates * coordinates > kMostBytes) return kInfinity;
  if (kind == Preconditioning::kBlocks && !blocks_fit()) return kInfinity;
  const double steps =
      more + (sampled ? kSampledSteps + kSampledDigit * digits : kSteps + kDigit * digits);
  const double products = kind == Preconditioning::kDiagonal
                              ? kLeastProducts + kMoreProducts * crowded
                          : whole ? kCoupledProducts
                                  : kBlockProducts;
  const double each = 2.0 * product + class_rows_cost(X_, problem_.width(), kClassCurve) +
                      Preconditioner::application_cost(problem_, kind);
  return steps * (3.0 * product + 1.5 * point + products * each) + matrices(kind);
}

}  // namespace banditcd::multinomial
