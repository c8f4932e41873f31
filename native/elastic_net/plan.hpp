// The plan of a solve: which regime, which Gram matrix and how much at once, by the cost model.
// None of it affects what is certified.
#pragma once
#include <cstddef>
#include <vector>

#include "elastic_net/pool.hpp"
#include "elastic_net/training_data.hpp"
#include "solve/lazy_columns.hpp"

namespace banditcd::elastic_net {

enum class Regime {
  kPool,       // bins that let columns into the pool
  kWholeGram,  // all columns are in the pool: no pass until the certificate
  kResidual,   // bins without a Gram matrix
  kCrowd,      // all columns are in the pool, and it has no Gram matrix
};

// What a solver will be asked for.
struct Purpose {
  std::size_t solves = 1;  // penalties; a path may want the whole Gram matrix
  bool sample = false;     // the rows are a sample, whose solution is only a start
};

class Plan {
 public:
  // The plan looks at these as they change; they outlive it.
  Plan(const TrainingData& data, const LazyColumns& columns, const Pool& pool,
       const Purpose& purpose)
      : data_(data), columns_(columns), pool_(pool), purpose_(purpose) {}

  Regime regime() const { return regime_; }
  bool whole_gram() const { return regime_ == Regime::kWholeGram; }
  bool all_columns() const { return whole_gram() || regime_ == Regime::kCrowd; }
  // The regime of what has happened so far; "null" as long as the pool is empty.
  const char* regime_name() const;

  // Where the work of the next solve ends, relative to the null model's objective.
  void set_work_tol(double tol) { work_tol_ = tol; }
  // Whether all columns are to enter the pool now, at these penalties.
  void consider_whole_gram();
  // The same after a sample of the rows, which wanted this many columns.
  void consider_whole_gram_of_sample(std::size_t wanted);
  // The same without a Gram matrix.
  void consider_crowd();
  // Whether they are a crowd no more: then columns enter bin by bin, still without a Gram matrix.
  bool leave_crowd();
  // The Gram matrix of the pool after these columns have entered; may change the regime.
  Pool::Gram choose_gram(const std::vector<Index>& entering);
  // A Gram matrix in single precision was not good enough: from now on all are in double.
  void refuse_rough() { rough_refused_ = true; }

  // Columns that a bin adds at most; support: of the committed point.
  std::size_t columns_to_add(std::size_t support) const;
  // The share of a column's interval that a correlation hardly ever leaves.
  double likely_share() const;
  // Whether a start from zero would put far too many columns into the pool. largest: the largest
  // penalty that matters.
  bool saturated(double largest) const;
  // Whether points are found in Gram space first, and certified later from the data.
  bool drafts_pay(double max_iter) const;
  // Drafts that are certified together.
  std::size_t batch_size() const;

 private:
  bool whole_gram_pays() const;
  double whole_gram_passes() const;
  std::size_t passing(double times) const;
  bool crowded(double times) const;  // most columns pass
  bool gram_pays(const std::vector<Index>& entering) const;
  bool rough_offered() const;
  bool rough_pays(std::size_t entering) const;
  bool rough_pays_for_drafts() const;

  const TrainingData& data_;
  const LazyColumns& columns_;
  const Pool& pool_;
  Purpose purpose_;
  Regime regime_ = Regime::kPool;
  bool rough_refused_ = false;
  double work_tol_ = 0.0;
};

}  // namespace banditcd::elastic_net
