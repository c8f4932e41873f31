#include "elastic_net/plan.hpp"

#include <algorithm>
#include <cmath>

#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {

const char* Plan::regime_name() const {
  if (regime_ == Regime::kWholeGram) return "whole_gram";
  if (regime_ == Regime::kResidual) return "residual";
  if (regime_ == Regime::kCrowd) return "crowd";
  return pool_.size() == 0 ? "null" : "pool";
}

void Plan::consider_whole_gram() {
  if (regime_ == Regime::kPool && columns_.eligible().size() <= pool_.limit() && whole_gram_pays())
    regime_ = Regime::kWholeGram;
}

void Plan::consider_whole_gram_of_sample(std::size_t wanted) {
  const std::size_t cols = columns_.eligible().size();
  if (static_cast<double>(wanted) > kWholeFromSample * static_cast<double>(cols) &&
      cols <= pool_.limit() && whole_gram_passes() < kCrowdedPasses)
    regime_ = Regime::kWholeGram;
}

// Sparse columns of which many pass their thresholds by noise alone: the support will be a large
// part of them, and a pool that grows towards it by and by only adds passes and epochs of its own.
// An update reads and writes one sparse column, and the columns too many leave after a few epochs.
void Plan::consider_crowd() {
  const Design& design = data_.design();
  const double cols = static_cast<double>(columns_.eligible().size());
  if (regime_ != Regime::kPool || !design.sparse() || cols < kGramAlways) return;
  if (static_cast<double>(passing(kCrowd)) <= kCrowdShare * cols) return;
  // The columns that are there, or are sure to come: few have a Gram matrix of cheap updates.
  const double column = static_cast<double>(design.entries()) / static_cast<double>(design.cols());
  const std::size_t sure = std::max(pool_.size(), passing(kCrowded));
  if (gram_update(sure) < 2.0 * kSparseEntry * column) return;
  const Penalties& penalties = pool_.penalties();
  if (saturated(largest_slope(columns_.eligible(), data_.facts().correlation, penalties))) return;
  regime_ = Regime::kCrowd;
}

bool Plan::leave_crowd() {
  const double cols = static_cast<double>(columns_.eligible().size());
  if (regime_ != Regime::kCrowd ||
      static_cast<double>(passing(kCrowd)) >= kCrowdLeft * kCrowdShare * cols)
    return false;
  regime_ = Regime::kResidual;
  return true;
}

// A few columns always; for a path, if the Gram matrix costs less than the passes it saves; for one
// penalty, if most columns will be used anyway.
bool Plan::whole_gram_pays() const {
  const Design& design = data_.design();
  const std::size_t cols = columns_.eligible().size();
  if (cols <= kSmallColumns || design.gram_known()) return true;
  if (design.rows() < 2 * cols) return false;
  const double passes = whole_gram_passes();
  if (purpose_.solves > 1) return passes < kPassesPerSolve * static_cast<double>(purpose_.solves);
  if (design.sparse() && passes < kSparsePasses) return true;
  // A sample of the rows would tell which columns matter, but not for much less.
  if (!purpose_.sample && rough_offered() && passes < kFilledPasses &&
      design.rows() < kFilledRows * cols && crowded(kFilled))
    return true;
  return passes < kCrowdedPasses && crowded(kCrowded);
}

// What the whole Gram matrix costs, in passes.
double Plan::whole_gram_passes() const {
  const Design& design = data_.design();
  const std::size_t cols = columns_.eligible().size();
  const double n = static_cast<double>(design.rows()), d = static_cast<double>(cols);
  const double entries = static_cast<double>(design.entries());
  if (!design.sparse()) return 0.5 * kProduct * n * d * d / (kDenseEntry * entries);
  const double meeting = 0.5 * kScatter * entries * entries / n;
  const double packed = 0.5 * kProduct * n * d * d + kPackEntry * n * d;
  const double products = cols <= kPackColumns ? std::min(meeting, packed) : meeting;
  return (products + kGramEntry * d * d) / (kSparseEntry * entries);
}

// Columns whose thresholds are so low that even a column of pure noise would pass them as many
// times: a random column has a correlation of about |x_j| |y| / sqrt(n). The true one must pass as
// well.
std::size_t Plan::passing(double times) const {
  const double n = static_cast<double>(data_.design().rows());
  const double noise = std::sqrt(data_.null_square() / n);
  const auto passes = [&](Index j) {
    return std::min(noise * columns_.norm(j), std::abs(data_.facts().correlation[j])) >
           times * pool_.penalties().threshold(j);
  };
  const std::vector<Index>& eligible = columns_.eligible();
  return static_cast<std::size_t>(std::count_if(eligible.begin(), eligible.end(), passes));
}

bool Plan::crowded(double times) const {
  return 3 * passing(times) > 2 * columns_.eligible().size();
}

Pool::Gram Plan::choose_gram(const std::vector<Index>& entering) {
  if (regime_ == Regime::kPool && !gram_pays(entering)) regime_ = Regime::kResidual;
  if (regime_ == Regime::kResidual || regime_ == Regime::kCrowd) return Pool::Gram::kNone;
  return rough_pays(entering.size()) ? Pool::Gram::kRough : Pool::Gram::kExact;
}

// Gram space or residual space: one coordinate update touches a row of the Gram matrix, or a
// column of X twice.
bool Plan::gram_pays(const std::vector<Index>& entering) const {
  const Design& design = data_.design();
  const std::size_t size = pool_.size() + entering.size();
  if (size > pool_.limit()) return false;
  if (!design.sparse() || size < kGramAlways) return true;
  const double entries = entries_of(design, pool_.columns()) + entries_of(design, entering);
  const double column = entries / static_cast<double>(size);
  const double moves = kEpochsExpected * kMovingShare * static_cast<double>(size);
  const double gram =
      design.gram_entry_cost() * 0.5 * static_cast<double>(size * size) + moves * gram_update(size);
  return gram < moves * 2.0 * kSparseEntry * column;
}

bool Plan::rough_offered() const {
  const Design& design = data_.design();
  return !rough_refused_ && !data_.fit().sample_weight && design.offers_rough() &&
         design.rows() >= 2 * design.cols();
}

// Whether the products with these columns take long enough, and nothing needs more than a model.
bool Plan::rough_pays(std::size_t entering) const {
  if (pool_.rough()) return true;
  if (purpose_.solves > 1 && !(whole_gram() && rough_pays_for_drafts())) return false;
  const double n = static_cast<double>(data_.design().rows()), k = static_cast<double>(entering),
               old = static_cast<double>(pool_.size());
  if (!rough_offered() || kProduct * n * k * (old + 0.5 * k) < kRoughFrom) return false;
  const std::vector<Index>& eligible = columns_.eligible();
  return std::none_of(eligible.begin(), eligible.end(),
                      [&](Index j) { return pool_.penalties().at(j).free(); });
}

// The drafts of a path are corrected by one more look at the data each: it must not be needed, or
// cost less than what the products save.
bool Plan::rough_pays_for_drafts() const {
  const std::size_t cols = columns_.eligible().size();
  return work_tol_ >= kRoughPath || (cols >= kCorrectedColumns * purpose_.solves &&
                                     data_.design().rows() >= kCorrectedRows * cols);
}

// As many columns as make the Gram update cost a share of the pass that found them.
std::size_t Plan::columns_to_add(std::size_t support) const {
  const Design& design = data_.design();
  const double K = static_cast<double>(pool_.size());
  const double pass = column_entry(design.sparse()) * columns_.pass_entries();
  const double share = pool_.size() == 0                   ? kFirstShare
                       : pool_.rough() && !purpose_.sample ? kGrowthRough
                                                           : kGrowthShare;
  const double balanced = -K + std::sqrt(K * K + 2.0 * share * pass / design.gram_entry_cost());
  const double of_support = regime_ == Regime::kResidual ? kGrowthWithoutGram : kGrowthOfSupport;
  const double least =
      std::max(static_cast<double>(kGrowthLeast), of_support * static_cast<double>(support));
  return static_cast<std::size_t>(std::max(balanced, least));
}

double Plan::likely_share() const {
  return std::min(1.0, kLikely / std::sqrt(static_cast<double>(data_.design().rows())));
}

// Several times more columns than rows violate at zero: the support will be close to the number of
// rows, and its Gram matrix close to singular.
bool Plan::saturated(double largest) const {
  const Penalties& penalties = pool_.penalties();
  if (whole_gram() || !(largest > kContinueFrom * penalties.l1)) return false;
  std::size_t violators = 0;
  for (const Index j : columns_.eligible())
    violators += penalties.at(j).excess(data_.facts().correlation[j]) > 0.0 ? 1 : 0;
  const Design& design = data_.design();
  return violators >= (design.sparse() ? kSaturatedSparse : kSaturated) * design.rows();
}

// A path shares the look at the data among its penalties; with few columns even one penalty saves
// one of the two looks that the residual and then its correlations would take.
bool Plan::drafts_pay(double max_iter) const {
  if (!whole_gram() || (pool_.rough() && purpose_.solves == 1)) return false;
  return purpose_.solves > 1 || (pool_.size() <= kSmallColumns && max_iter >= kGramTries);
}

std::size_t Plan::batch_size() const {
  return !data_.design().sparse() && pool_.size() <= kSmallColumns ? kBatchOfFew : kBatch;
}

}  // namespace banditcd::elastic_net
