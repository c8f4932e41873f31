// The blocks outside the pool, of which as few as possible are read in a bin.
//
// Of every block the norm of its columns and the norm of its correlations with an earlier pull are
// kept. With rho = beta rho_s + E (solve/snapshots.hpp), tasks side by side,
//   | |X_g' rho| - beta |X_g' rho_s| | <= |X_g| |E|,
// and a block whose interval stays below its threshold is proven inactive without being read.
#pragma once
#include <vector>

#include "groups/layout.hpp"
#include "solve/snapshots.hpp"

namespace banditcd::groups {

class LazyBlocks {
 public:
  explicit LazyBlocks(const Layout& layout) : layout_(&layout) {}
  // square: of the columns of X, not centered more than the pulls allow.
  void start(const Design& design, std::size_t tasks, const std::vector<double>& square);
  // Whether a block may become non-zero.
  bool eligible(std::size_t g) const { return eligible_[g] != 0; }
  const std::vector<double>& square() const { return square_; }  // by group
  double norm(std::size_t g) const { return norm_[g]; }
  // Blocks whose norms are those of today, and may exceed the thresholds.
  const std::vector<Index>& evaluated() const { return evaluated_; }

  // The pull has moved.
  void forget() { current_ = Snapshots::kNever; }
  // The norm of a block with today's pull, from elsewhere.
  void set_norm(std::size_t g, double norm, const std::vector<double>& pull);
  // Evaluates the blocks that are not elsewhere and may exceed l1 times their weight. Returns the
  // entries of X read.
  template <class Elsewhere>
  double pass(const Design& design, const std::vector<double>& pull, double l1,
              Elsewhere&& elsewhere, Watch& watch) {
    relate(pull);
    evaluated_.clear();
    unread_.clear();
    for (std::size_t g = 0; g < layout_->count(); ++g) {
      if (!eligible_[g] || elsewhere(g) || !may_exceed(g, l1 * layout_->weight[g])) continue;
      evaluated_.push_back(static_cast<Index>(g));
      if (current_ == Snapshots::kNever || seen_[g] != current_)
        unread_.push_back(static_cast<Index>(g));
    }
    return read(design, pull, watch);
  }

 private:
  void relate(const std::vector<double>& pull);
  bool may_exceed(std::size_t g, double threshold) const;
  double read(const Design& design, const std::vector<double>& pull, Watch& watch);
  void remember(const std::vector<double>& pull);

  const Layout* layout_;
  std::size_t tasks_ = 1;
  std::vector<char> eligible_;
  std::vector<double> square_, norm_;
  std::vector<Snapshots::Id> seen_;
  Snapshots snapshots_;
  Snapshots::Id current_ = Snapshots::kNever;
  std::vector<Index> evaluated_, unread_, columns_;
  std::vector<double> buffer_;
};

}  // namespace banditcd::groups
