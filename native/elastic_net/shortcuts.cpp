// Two ways to need less work: larger penalties first where the problem is saturated, and a start
// from a sample of the rows.
#include <algorithm>
#include <cmath>

#include "elastic_net/solver.hpp"
#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kSampleTol = 1e-3;
constexpr double kPromising = 0.9;  // share of the threshold
constexpr double kSampleNoise = 0.1;

}  // namespace

// Several times more columns than rows violate at zero: the support will be close to the number of
// rows, its Gram matrix close to singular, and a start from zero would put far too many columns
// into the pool.
bool RecordSolver::saturated(double largest) const {
  if (whole_gram_ || !(largest > kContinueFrom * penalties_.l1)) return false;
  std::size_t violators = 0;
  for (const Index j : eligible_)
    violators += penalties_.at(j).excess(facts_.correlation[j]) > 0.0 ? 1 : 0;
  return violators >= (design_->sparse() ? kSaturatedSparse : kSaturated) * design_->rows();
}

// Continuation: a few larger penalties, solved roughly, keep the pool lean.
void RecordSolver::approach(Report& report, Watch& watch) {
  const Penalties wanted = penalties_;
  const double largest = largest_slope(facts_.correlation);
  if (!saturated(largest)) return;
  const double ratio = largest / (kContinueFirst * wanted.l1);
  const int steps = static_cast<int>(std::ceil(std::log(ratio) / std::log(kContinueStep)));
  const auto back = [&] {
    penalties_ = wanted;
    pool_.set_penalties(penalties_);
    report.certificate = {};  // what is known belongs to other penalties
  };
  try {
    for (int t = 0; t < steps; ++t) {
      penalties_.l1 = wanted.l1 * std::pow(ratio, 1.0 - static_cast<double>(t) / steps);
      pool_.set_penalties(penalties_);
      report.iterations += rough_bins(kContinueTol * null_objective(), watch);
    }
  } catch (const Stopped&) {
    back();
    throw;
  }
  back();
}

// One bin without a certificate, or two if many columns still violate after the first: what is
// found here only has to be a good start. Returns how many there were.
std::size_t RecordSolver::rough_bins(double target, Watch& watch) {
  std::size_t bins = 0;
  for (; bins < kContinueRepeat; ++bins) {
    lazy_pass(watch, likely_share());
    const std::vector<Index> entering = best_columns();
    if (bins > 0 && !enough_violators()) break;
    grow_pool(entering, watch);
    solve_pool(std::max(target, kInnerShare * pool_certificate().gap), watch);
    refresh_residual(watch);
  }
  return bins;
}

// Evenly spread chunks of consecutive rows, so that a sorted file is still sampled fairly.
std::vector<Index> RecordSolver::sampled_rows() const {
  const std::size_t n = design_->rows();
  const std::size_t wanted =
      std::max(n / kSampleShare, kSampleRowsPerColumn * std::max<std::size_t>(1, eligible_.size()));
  std::vector<Index> rows;
  if (wanted * 4 > n || design_->entries() < kSampleEntries) return rows;
  const std::size_t chunk = (wanted + kSampleChunks - 1) / kSampleChunks;
  for (std::size_t c = 0; c < kSampleChunks; ++c) {
    const std::size_t first = c * n / kSampleChunks;
    for (std::size_t i = first; i < std::min(first + chunk, n); ++i)
      rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

// With many more rows than columns a part of the rows already shows which columns matter: solve
// that part roughly, and let its solution and its near misses be the first pool.
bool RecordSolver::start_from_sample(double target, Watch& watch) {
  if (whole_gram_ || gram_free_) return false;
  const std::vector<Index> rows = sampled_rows();
  if (rows.empty()) return false;
  std::vector<double> y(rows.size()), weight;
  for (std::size_t t = 0; t < rows.size(); ++t) y[t] = data_.y[rows[t]];
  FitData data = data_;
  data.y = y.data();
  double share = static_cast<double>(rows.size()) / space_.total_weight;
  if (data_.sample_weight) {
    for (const Index i : rows) weight.push_back(data_.sample_weight[i]);
    data.sample_weight = weight.data();
    double total = 0.0;
    for (const double s : weight) total += s;
    if (!(total > 0.0)) return false;
    share = total / space_.total_weight;
  }
  RecordSolver part(design_->sample(rows), data, pool_bytes_, 1);
  part.sampled_ = true;
  part.solve(share * penalties_.l1, share * penalties_.l2,
             watch.nested(kSampleTol, Limits{}.max_iter));
  watch.check();
  const double drawn = static_cast<double>(rows.size()) / static_cast<double>(design_->rows());
  entries_read_ += part.entries_read_ + drawn * static_cast<double>(design_->entries());
  std::vector<Index> entering;
  std::vector<double> coef;
  for (const auto& [j, w] : part.promising()) {
    if (!(facts_.square[j] > 0.0)) continue;
    entering.push_back(j);
    coef.push_back(w);
  }
  if (entering.empty()) return false;
  const double most = kWholeFromSample * static_cast<double>(eligible_.size());
  whole_gram_ = static_cast<double>(entering.size()) > most && eligible_.size() <= pool_.limit() &&
                whole_gram_passes() < kCrowdedPasses;
  grow_pool(entering, watch);
  if (gram_free_) return true;
  std::copy(coef.begin(), coef.end(), pool_.x());
  start_pool(watch);
  pool_.problem().recompute();
  solve_pool(std::max(kSampleInner * target, rough_ ? kRoughShare * null_objective() : 0.0), watch);
  refresh_residual(watch);
  return true;
}

// Columns in use, and those that nearly are, with their coefficients.
std::vector<std::pair<Index, double>> RecordSolver::promising() const {
  // A sample shows a correlation only up to noise: near misses are counted generously.
  const double noise = kSampleNoise * std::sqrt(residual2_ / static_cast<double>(design_->rows()));
  const auto near = [&](Index j, double u) {
    const double l = penalties_.threshold(j);
    return std::abs(u) >= std::min(kPromising * l, l - noise * std::sqrt(facts_.square[j]));
  };
  std::vector<std::pair<Index, double>> out;
  for (std::size_t t = 0; t < pool_.size(); ++t) {
    const Index j = pool_.columns()[t];
    if (committed_[t] != 0.0 || near(j, pool_.c()[t])) out.emplace_back(j, committed_[t]);
  }
  for (const Index j : eligible_)
    if (!pool_.contains(j) && snapshots_.known(seen_[j]) && near(j, correlation_[j]))
      out.emplace_back(j, 0.0);
  return out;
}

}  // namespace banditcd::elastic_net
