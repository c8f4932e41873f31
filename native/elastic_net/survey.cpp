// The parts of a bin that are bookkeeping: the first pass, the choice of regime, the pool's growth.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "elastic_net/solver.hpp"
#include "elastic_net/strategy.hpp"
#include "kernels/vector.hpp"

namespace banditcd::elastic_net {
RecordSolver::RecordSolver(std::unique_ptr<Design> design, const FitData& data,
                           std::size_t pool_bytes, std::size_t solves_expected)
    : design_(std::move(design)),
      data_(data),
      pool_bytes_(pool_bytes),
      solves_expected_(solves_expected) {
  space_.rows = design_->rows();
  space_.weight = data_.sample_weight;
  space_.total_weight = static_cast<double>(design_->rows());
  if (data_.sample_weight)
    space_.total_weight =
        std::accumulate(data_.sample_weight, data_.sample_weight + design_->rows(), 0.0);
  space_.centered = data_.intercept;
  pool_.reset(design_->cols(), pool_bytes_);
}

void RecordSolver::start(Watch& watch) {
  survey(watch);
  start_pool(watch);
}

// Everything that depends on the data alone: one fused pass for <x_j, y>, |x_j|^2 and means.
void RecordSolver::survey(Watch& watch) {
  if (started_) return;
  const Unhurried first(watch);
  const PhaseTimer timer(watch, phases_.pass);
  const std::size_t n = design_->rows(), d = design_->cols();
  if (data_.sample_weight) {
    root_weight_.resize(n);
    for (std::size_t i = 0; i < n; ++i) root_weight_[i] = std::sqrt(data_.sample_weight[i]);
    space_.root_weight = root_weight_.data();
  }
  residual_.assign(data_.y, data_.y + n);
  y_mean_ = 0.0;
  intercept_ = 0.0;
  finish_residual(0.0);
  centered_y_ = residual_;
  y_mean_ = intercept_;
  null_square_ = residual2_;
  facts_.correlation.resize(d);
  facts_.square.resize(d);
  facts_.mean.resize(d);
  design_->survey(space_, weighted_.data(), facts_, watch);
  require_finite_squares();
  entries_read_ += pass_entries_ = static_cast<double>(design_->entries());
  eligible_.clear();
  for (std::size_t j = 0; j < d; ++j)
    if (facts_.square[j] > 0.0 && !penalties_.excluded(j))
      eligible_.push_back(static_cast<Index>(j));
  norm_.resize(d);
  for (std::size_t j = 0; j < d; ++j) norm_[j] = std::sqrt(facts_.square[j]);
  correlation_ = facts_.correlation;
  const std::size_t ring = design_->entries() / (2 * std::max<std::size_t>(n, 1));
  snapshots_.resize(n, std::min(kSnapshots, std::max<std::size_t>(2, ring)), data_.sample_weight);
  // With all columns in the pool nobody asks what an earlier residual said about them.
  if (eligible_.size() > std::min(kSmallColumns, pool_.limit()))
    current_ = snapshots_.remember(residual_.data(), residual2_);
  seen_.assign(d, current_);
  pool_.set_square(null_square_);
  started_ = true;
}

// A square that overflows would look like a column that cannot move, and certify a wrong point.
void RecordSolver::require_finite_squares() const {
  bool finite = std::isfinite(null_square_);
  for (const double square : facts_.square) finite = finite && std::isfinite(square);
  if (!finite)
    throw std::overflow_error("The squares of X or y overflow float64; scale the data down.");
}

// Columns that must be in the pool from the beginning: all of them when there are few, and those
// without any penalty always (the dual point has to be orthogonal to them).
void RecordSolver::start_pool(Watch& watch) {
  const std::size_t d = eligible_.size();
  whole_gram_ = whole_gram_ || (whole_gram_pays(d) && d <= pool_.limit());
  std::vector<Index> entering;
  for (const Index j : eligible_)
    if (!pool_.contains(j) && (whole_gram_ || penalties_.at(j).free())) entering.push_back(j);
  if (!entering.empty()) grow_pool(entering, watch);
}

// A few columns always; for a path, if the Gram matrix costs less than the passes it saves; for one
// penalty, if most columns will be used anyway.
bool RecordSolver::whole_gram_pays(std::size_t cols) const {
  if (cols <= kSmallColumns || design_->gram_known()) return true;
  if (design_->rows() < 2 * cols) return false;
  if (solves_expected_ > 1)
    return whole_gram_passes() < kPassesPerSolve * static_cast<double>(solves_expected_);
  const double passes = whole_gram_passes();
  if (design_->sparse() && passes < kSparsePasses) return true;
  // A sample of the rows would tell which columns matter, but not for much less.
  if (!sampled_ && rough_offered() && passes < kFilledPasses &&
      design_->rows() < kFilledRows * cols && crowded(kFilled))
    return true;
  return passes < kCrowdedPasses && crowded(kCrowded);
}

// What the whole Gram matrix costs, in passes.
double RecordSolver::whole_gram_passes() const {
  const double n = static_cast<double>(design_->rows()), d = static_cast<double>(eligible_.size());
  const double entries = static_cast<double>(design_->entries());
  if (!design_->sparse()) return 0.5 * kProduct * n * d * d / (kDenseEntry * entries);
  const double meeting = 0.5 * kScatter * entries * entries / n;
  const double packed = 0.5 * kProduct * n * d * d + kPackEntry * n * d;
  const double products = eligible_.size() <= kPackColumns ? std::min(meeting, packed) : meeting;
  return (products + kGramEntry * d * d) / (kSparseEntry * entries);
}

// Whether the thresholds are so low that even a column of pure noise would pass most of them: a
// random column has a correlation of about |x_j| |y| / sqrt(n). The true ones must pass as well.
bool RecordSolver::crowded(double times) const {
  const double noise = std::sqrt(null_square_ / static_cast<double>(design_->rows()));
  std::size_t count = 0;
  for (const Index j : eligible_)
    count += std::min(noise * std::sqrt(facts_.square[j]), std::abs(facts_.correlation[j])) >
                     times * penalties_.threshold(j)
                 ? 1
                 : 0;
  return 3 * count > 2 * eligible_.size();
}

// Gram space or residual space: one coordinate update touches a row of the Gram matrix, or a
// column of X twice.
bool RecordSolver::gram_pays(const std::vector<Index>& entering) const {
  const std::size_t size = pool_.size() + entering.size();
  if (size > pool_.limit()) return false;
  if (!design_->sparse() || size < kGramAlways) return true;
  double entries = 0.0;
  for (const Index j : pool_.columns()) entries += static_cast<double>(design_->entries(j));
  for (const Index j : entering) entries += static_cast<double>(design_->entries(j));
  const double column = entries / static_cast<double>(size);
  const double moves = kEpochsExpected * kMovingShare * static_cast<double>(size);
  const double gram = design_->gram_entry_cost() * 0.5 * static_cast<double>(size * size) +
                      moves * gram_update(size);
  return gram < moves * 2.0 * kSparseEntry * column;
}

// Centers the residual if there is an intercept, and derives what the bins need from it.
void RecordSolver::finish_residual(double shift) {
  const std::size_t n = design_->rows();
  const double* s = data_.sample_weight;
  intercept_ = y_mean_ - shift;
  // Twice: the first mean is rounded relative to the size of y and X w, the second relative to R.
  // What is left of the mean would be multiplied by the column means in every correlation.
  for (int repeat = 0; data_.intercept && repeat < 2; ++repeat, shift = 0.0) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += (s ? s[i] : 1.0) * (residual_[i] + shift);
    const double mean = sum / space_.total_weight;
    for (std::size_t i = 0; i < n; ++i) residual_[i] += shift - mean;
    intercept_ += mean;
  }
  weighted_.resize(n);
  for (std::size_t i = 0; i < n; ++i) weighted_[i] = s ? s[i] * residual_[i] : residual_[i];
  residual2_ = dot(residual_.data(), weighted_.data(), n);
  current_ = Snapshots::kNever;
  residual_stale_ = false;
}

void RecordSolver::grow_pool(const std::vector<Index>& columns, Watch& watch) {
  if (columns.empty()) return;
  const PhaseTimer timer(watch, phases_.gram);
  std::vector<double> correlation(columns.size());
  for (std::size_t t = 0; t < columns.size(); ++t) correlation[t] = correlation_[columns[t]];
  if (!gram_free_ && !gram_pays(columns)) {
    gram_free_ = true;
    pool_.drop_gram();
  }
  rough_ = !gram_free_ && rough_pays(columns.size());
  if (gram_free_)
    pool_.append_bare(facts_, columns, correlation.data());
  else if (rough_)
    read(pool_.append_rough(*design_, facts_, columns, correlation.data(), watch));
  else
    read(pool_.append(*design_, space_, facts_, columns, correlation.data(), watch));
  committed_.resize(pool_.size(), 0.0);
}

// As many columns as make the Gram update cost a share of the pass that found them.
std::size_t RecordSolver::columns_to_add() const {
  const double K = static_cast<double>(pool_.size());
  const double pass = (design_->sparse() ? kSparseEntry : kDenseEntry) * pass_entries_;
  const double share = pool_.size() == 0     ? kFirstShare
                       : rough_ && !sampled_ ? kGrowthRough
                                             : kGrowthShare;
  const double balanced = -K + std::sqrt(K * K + 2.0 * share * pass / design_->gram_entry_cost());
  const auto zeros = std::count(committed_.begin(), committed_.end(), 0.0);
  const double support = static_cast<double>(committed_.size()) - static_cast<double>(zeros);
  const double least = std::max(static_cast<double>(kGrowthLeast),
                                (gram_free_ ? kGrowthWithoutGram : kGrowthOfSupport) * support);
  return static_cast<std::size_t>(std::max(balanced, least));
}

// After an interruption: back to the point the residual belongs to. The dual value known so far
// (zero always is one) bounds it as well as any other.
void RecordSolver::restore(Certificate& certificate) {
  if (!started_) return;
  std::fill(pool_.x(), pool_.x() + pool_.size(), 0.0);
  std::copy(committed_.begin(), committed_.end(), pool_.x());
  recompute_pool();
  // A rough model may have known too much.
  const bool known = std::isfinite(certificate.gap) && !rough_;
  const double dual = known ? certificate.primal - certificate.gap : 0.0;
  certificate.primal = 0.5 * residual2_;
  for (std::size_t t = 0; t < pool_.size(); ++t)
    certificate.primal += penalties_.at(pool_.columns()[t]).value(pool_.x()[t]);
  certificate.gap = certificate.primal - dual;
}

// The last bin moved the point: what is said about it comes from the point itself, and from true
// quantities alone.
Status RecordSolver::certify_last(double target, Report& report, Watch& watch) {
  lazy_pass(watch, 1.0);
  verify(watch);
  report.certificate = certify();
  return report.certificate.gap <= target ? Status::kConverged : Status::kMaxIter;
}

// Starts the next solve at these coefficients (columns that cannot be non-zero are left out).
void RecordSolver::set_point(const double* coef, const Limits& limits) {
  cold_ = false;
  Watch watch(limits);
  start(watch);
  std::vector<Index> entering;
  for (const Index j : eligible_)
    if (coef[j] != 0.0 && !pool_.contains(j)) entering.push_back(j);
  grow_pool(entering, watch);
  for (std::size_t t = 0; t < pool_.size(); ++t)
    pool_.x()[t] = penalties_.at(pool_.columns()[t]).clip(coef[pool_.columns()[t]]);
  if (!gram_free_) pool_.problem().recompute();
  refresh_residual(watch);
}

// The Gram matrix of some columns, and the facts about all of them: for tests.
void RecordSolver::gram(const std::vector<Index>& columns, double* out) {
  Watch watch;
  start(watch);
  const std::size_t size = columns.size(), split = size / 2;
  design_->append_gram(space_, facts_.mean.data(), {columns.data(), 0, split, out, size}, watch);
  design_->append_gram(space_, facts_.mean.data(), {columns.data(), split, size, out, size}, watch);
}

double RecordSolver::entries_of(const std::vector<Index>& columns) const {
  if (!design_->sparse()) return static_cast<double>(columns.size() * design_->rows());
  double sum = 0.0;
  for (const Index j : columns) sum += static_cast<double>(design_->entries(j));
  return sum;
}

void RecordSolver::recompute_pool() {
  Watch watch;
  if (rough_) return verify(watch);
  if (!gram_free_) return pool_.problem().recompute();
  correlate_pool(watch);
  std::copy(buffer_.begin(), buffer_.end(), pool_.c());
}

void RecordSolver::coefficients(double* out) const {
  std::fill(out, out + design_->cols(), 0.0);
  for (std::size_t t = 0; t < committed_.size(); ++t) out[pool_.columns()[t]] = committed_[t];
}

}  // namespace banditcd::elastic_net
