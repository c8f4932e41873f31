// A start from a sample of the rows, which afterwards serves for the curvatures.
#include <algorithm>
#include <cstdint>

#include "logistic/solver.hpp"
#include "solve/strategy.hpp"

namespace banditcd::logistic {
namespace {

constexpr double kSampleTol = 1e-3;
constexpr std::size_t kSampleBins = 50;
constexpr std::size_t kSampleRows = 20;  // per working column, for a sample to show curvatures

}  // namespace

// One row of every few, at a scrambled place among them: sorted files are sampled fairly.
std::vector<Index> LogisticSolver::sampled_rows() const {
  const std::size_t n = labels_.rows;
  const std::size_t wanted =
      std::max(n / kSampleShare, kSampleRowsPerColumn * std::max<std::size_t>(1, eligible_.size()));
  std::vector<Index> rows;
  if (wanted * 4 > n || design_->entries() < kSampleEntries) return rows;
  const std::size_t group = n / wanted;
  std::uint32_t scrambled = 0;
  for (std::size_t first = 0; first + group <= n; first += group) {
    scrambled += 0x9e3779b9u;
    rows.push_back(static_cast<Index>(first + (scrambled >> 16) % group));
  }
  return rows;
}

// With many more rows than columns a part of the rows already shows where the solution is.
bool LogisticSolver::start_from_sample(Watch& watch) {
  const std::vector<Index> rows = sampled_rows();
  std::vector<double> y, weight;
  double positive = 0.0, total = 0.0;
  for (const Index i : rows) {
    y.push_back(labels_.y[i]);
    weight.push_back(labels_.weight ? labels_.weight[i] : 1.0);
    total += weight.back();
    positive += y.back() > 0.0 ? weight.back() : 0.0;
  }
  if (!(positive > 0.0 && positive < total)) return false;
  FitData data = data_;
  data.y = y.data();
  data.sample_weight = labels_.weight ? weight.data() : nullptr;
  LogisticSolver part(design_->sample(rows), data, pool_bytes_, nullptr);
  const double share = total / point_.total_weight();
  part.solve(share * penalties_.l1, share * penalties_.l2, watch.nested(kSampleTol, kSampleBins));
  watch.check();
  entries_read_ += (part.entries_read_ + 1.0) * share;
  std::vector<double> coef(design_->cols(), 0.0);
  for (const Index j : eligible_) coef[j] = part.coef_[j];
  move_to(coef, part.intercept(), watch);
  sample_.design = std::move(part.design_);
  sample_.row = rows;
  return true;
}

// Whether the next model takes its curvatures from the sample.
bool LogisticSolver::use_sample() {
  const bool use = sample_helps_ && sample_.row.size() > kSampleRows * working_.size();
  model_.use_sample(use ? &sample_ : nullptr);
  // Where no sample was worth its making, a matrix from all rows is cheap.
  model_.use_thinning(thinning_helps_ && !use && !sample_.row.empty());
  return use;
}

// After a step that did not converge as it should.
void LogisticSolver::use_more_rows(bool sampled) {
  (sampled ? sample_helps_ : thinning_helps_) = false;
}

}  // namespace banditcd::logistic
