#include "svm/rivals.hpp"

#include "svm/strategy.hpp"

namespace banditcd::svm {
namespace {

// The price of an entry for descent, its share of the visit included; of the copy, if there is one
// and it may be read.
double sweep_cost(const Problem& problem, bool copied) {
  const StoredRows& rows = problem.rows->stored();
  const double entries = rows.entries();
  double entry = rows.sparse() ? kSparseSweep : rows.has_copy() ? kLongSweep : kDenseSweep;
  if (!rows.sparse() && entries > kFarEntries) entry = kFarSweep;
  if (copied && rows.has_copy() && !problem.free_bias) entry = kCopySweep;
  return entry + kVisit * static_cast<double>(problem.size()) / entries;
}

Rival without_price(const Problem& problem) {
  Rival out;
  out.entry = sweep_cost(problem, true);
  out.exact = sweep_cost(problem, false);
  return out;
}

// Fewer rows than twice the features can be separated, or nearly (Cover, 1965): then a gap says
// little about the way ahead, and how long Newton's method takes depends on C.
bool hardly_separable(const Problem& problem) { return problem.size() > 2 * problem.dim(); }

}  // namespace

double mean_strength(const Problem& problem) {
  return problem.total_cost() / static_cast<double>(problem.size()) * problem.mean_square();
}

Rival newton_rival(const Problem& problem) {
  const StoredRows& rows = problem.rows->stored();
  if (problem.dim() > kNewtonColumns || rows.count() + 1 < problem.dim()) return {};
  const auto dim = static_cast<double>(problem.dim());
  const double pass = rows.entries() * (rows.sparse() ? kSparseRow : kDenseRow);
  const double step = kStepPasses * pass + kFactor * dim * dim * dim;
  const bool hinge = problem.loss == Loss::kHinge;
  const double outer = hinge ? rows.outer_cost() : rows.rough_outer_cost();
  Rival out = without_price(problem);
  out.direct = hardly_separable(problem);
  if (hinge) {
    out.once = kProximalFirst * step + outer;
    out.decade = kProximalDecade * (step + kProximalOuter * outer);
  } else {
    out.once = kNewtonFirst * step + outer;
    out.decade = kNewtonDecade * step;
  }
  return out;
}

Rival cg_rival(const Problem& problem) {
  if (problem.loss == Loss::kHinge || !hardly_separable(problem)) return {};
  const StoredRows& rows = problem.rows->stored();
  Rival out = without_price(problem);
  out.own = 0.5 * (rows.sparse() ? kSparseFused : kDenseFused);
  out.direct = true;
  out.once = kCgFirst * rows.entries() * out.own;
  out.decade = kCgDecade * rows.entries() * out.own;
  return out;
}

Rival gram_rival(const Problem& problem) {
  const StoredRows& rows = problem.rows->stored();
  const auto n = static_cast<double>(rows.count());
  Rival out = without_price(problem);
  if (rows.count() > kGramRows || rows.features() <= rows.count()) return out;
  if (n * n * sizeof(double) > static_cast<double>(rows.pool_bytes)) return out;
  const double product = rows.sparse() ? kSparseRow : kPackedProduct;
  out.once =
      0.5 * n * rows.entries() * product + kFactor * n * n * n + kGramPasses * kDenseSweep * n * n;
  return out;
}

}  // namespace banditcd::svm
