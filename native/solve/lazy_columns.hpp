// The columns outside a pool, of which as few as possible are read in a bin.
//
// Of every column its norm and its last known correlation <x_j, R_s> with the residual R_s of an
// earlier bin are kept. With R = beta R_s + E, E orthogonal to R_s (snapshots.hpp),
//   | <x_j, R> - beta <x_j, R_s> | <= |x_j| |E|,
// and a column whose interval stays below its threshold is proven inactive without being read.
// Serves the squared loss and the logistic loss, whose pull takes the place of the residual.
#pragma once
#include <cmath>
#include <vector>

#include "columns/design.hpp"
#include "solve/fit_data.hpp"
#include "solve/snapshots.hpp"
#include "solve/strategy.hpp"

namespace banditcd {

// A residual R and s R, what columns are correlated with (the same without row weights); |R|^2.
struct ResidualView {
  const double* value;
  const double* weighted;
  double square;
};

class LazyColumns {
 public:
  // The part a column has in a pass.
  enum class Role {
    kOutside,    // evaluated unless the bound excludes it
    kInUse,      // evaluated in any case
    kFresh,      // evaluated, with the correlation of today that set_correlation() has given
    kElsewhere,  // not evaluated: somebody else keeps its correlation
  };

  // After the first pass, which has found squares and correlations of all columns with R.
  // eligible: the columns that may become non-zero. row_weight: of the geometry of R, or null.
  // bytes: most that snapshots may take, but for two of them.
  void start(const Design& design, std::vector<Index> eligible, const std::vector<double>& square,
             const std::vector<double>& correlation, const double* row_weight,
             std::size_t bytes = static_cast<std::size_t>(-1));
  // Takes a snapshot of R, to which all correlations belong; without one nothing is known of them.
  void remember(const ResidualView& residual);
  // R has moved.
  void forget_residual() { current_ = Snapshots::kNever; }

  // Decides which columns are evaluated and reads those of them whose correlations are old.
  // share: of the intervals; below one nothing is proven about the columns left out, which are
  // only unlikely to violate. Returns the entries of X that were read.
  template <class RoleOf>
  double pass(const Design& design, const ResidualView& residual, const Penalties& penalties,
              double share, RoleOf&& role, Watch& watch) {
    choose(residual, penalties, share, role);
    return read(design, residual, watch);
  }
  // A pass that evaluates no column.
  void evaluate_none() {
    evaluated_.clear();
    unread_.clear();
  }
  // A correlation with today's residual, which has no snapshot yet.
  void set_correlation(Index j, double u) {
    correlation_[j] = u;
    seen_[j] = Snapshots::kNever;
  }
  // Correlations that were set belong to the snapshot of today's residual, if there is one.
  void date(const std::vector<Index>& columns);

  const std::vector<Index>& eligible() const { return eligible_; }
  const std::vector<Index>& evaluated() const { return evaluated_; }
  double norm(Index j) const { return norm_[j]; }
  double correlation(Index j) const { return correlation_[j]; }
  // Whether the correlation belongs to a residual that is still kept.
  bool known(Index j) const { return snapshots_.known(seen_[j]); }
  // Entries that the last pass read which read any.
  double pass_entries() const { return pass_entries_; }

 private:
  // Whether the interval of possible correlations reaches the threshold.
  bool may_violate(Index j, const Penalties& penalties, double share) const {
    if (!known(j)) return true;
    const double threshold = kNearThreshold * penalties.threshold(j);
    const double middle = snapshots_.beta(seen_[j]) * correlation_[j];
    const double width = share * norm_[j] * snapshots_.error(seen_[j]);
    if (std::abs(middle) + width < threshold) return false;
    if (penalties.plain()) return true;
    const bool positive = middle + width >= threshold && penalties.opens(j, 1.0);
    const bool negative = width - middle >= threshold && penalties.opens(j, -1.0);
    return positive || negative;
  }
  // With short columns this loop takes as long as reading them does: it writes every column and
  // only counts some.
  template <class RoleOf>
  void choose(const ResidualView& residual, const Penalties& penalties, double share,
              RoleOf&& role) {
    snapshots_.relate(residual.value, residual.square);
    evaluated_.resize(eligible_.size());
    unread_.resize(eligible_.size());
    std::size_t evaluated = 0, unread = 0;
    for (const Index j : eligible_) {
      const Role part = role(j);
      if (part == Role::kElsewhere) continue;
      const bool wanted = part != Role::kOutside || may_violate(j, penalties, share);
      const bool old =
          part != Role::kFresh && (current_ == Snapshots::kNever || seen_[j] != current_);
      evaluated_[evaluated] = unread_[unread] = j;
      evaluated += wanted ? 1 : 0;
      unread += wanted && old ? 1 : 0;
    }
    evaluated_.resize(evaluated);
    unread_.resize(unread);
  }
  double read(const Design& design, const ResidualView& residual, Watch& watch);

  std::vector<Index> eligible_;
  std::vector<double> norm_;         // |x_j|
  std::vector<double> correlation_;  // last known <x_j, R_s>
  std::vector<Snapshots::Id> seen_;  // and the snapshot s that it belongs to
  Snapshots snapshots_;
  Snapshots::Id current_ = Snapshots::kNever;  // the snapshot of today's residual, if taken
  std::vector<Index> evaluated_;  // columns whose correlations with today's residual are known
  std::vector<Index> unread_;     // those of them whose correlations had to be read
  std::vector<double> buffer_;
  double pass_entries_ = 0.0;
};

// Columns with a square above zero that no penalty and no pair of bounds holds at zero.
std::vector<Index> eligible_columns(const std::vector<double>& square, const Penalties& penalties);

// The largest |u_j| over the penalty weights, of columns that may move that way: the smallest l1
// whose solution has no penalized non-zero. correlation: u by column.
double largest_slope(const std::vector<Index>& columns, const std::vector<double>& correlation,
                     const Penalties& penalties);

// Rows of a sample that is worth a solve before that of all rows: none if too few rows would be
// left for each column, if the data is read at once, or if their copy takes more than these bytes.
enum class Spread {
  kChunks,     // evenly spread chunks of consecutive rows
  kScattered,  // one row of every few, at a scrambled place among them
};
std::vector<Index> sampled_rows(const Design& design, std::size_t columns, Spread spread,
                                std::size_t bytes);

}  // namespace banditcd
