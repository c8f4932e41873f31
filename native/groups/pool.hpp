// The pool: blocks that entered, their columns side by side, and the Gram matrix of those.
#pragma once
#include <vector>

#include "groups/layout.hpp"
#include "groups/spectrum.hpp"
#include "kernels/memory.hpp"

namespace banditcd::groups {

class Pool {
 public:
  Pool(const Layout& layout, std::size_t tasks) : layout_(&layout), tasks_(tasks) {
    place_.assign(layout.count(), -1);
  }
  void clear();
  void add(std::size_t g);
  void set_penalties(double l1, double l2);

  std::size_t blocks() const { return block_.size(); }
  std::size_t size() const { return column_.size(); }  // columns
  std::size_t tasks() const { return tasks_; }
  bool contains(std::size_t g) const { return place_[g] >= 0; }
  std::size_t block(std::size_t t) const { return block_[t]; }
  std::size_t first(std::size_t t) const { return first_[t]; }
  std::size_t width(std::size_t t) const { return layout_->size(block_[t]); }
  const std::vector<Index>& column() const { return column_; }
  const Penalty& penalty(std::size_t t) const { return penalty_[t]; }
  const Spectrum& spectrum(std::size_t t) const { return spectrum_[t]; }

  // Whether the Gram matrix of this many columns keeps within the memory allowed.
  static bool fits(std::size_t columns, std::size_t bytes);
  // Gram entries and spectra of what has entered since the last call; of everything after
  // forget_gram(). Returns the entries of X it read.
  double grow_gram(Design& design, const Rowspace& space, const double* mean, Watch& watch);
  // The same from products in single precision, for rows without weights.
  double grow_rough_gram(Design& design, const ColumnFacts& facts, Watch& watch);
  // The spectra alone, each from the Gram matrix of its own columns.
  double grow_spectra(Design& design, const Rowspace& space, const double* mean, Watch& watch);
  void forget_gram() { known_ = judged_ = 0; }
  bool has_gram() const { return known_ > 0; }
  const double* gram(std::size_t i) const { return gram_.data() + i * stride_; }

 private:
  void make_room();
  void find_spectra(Watch& watch);

  const Layout* layout_;
  std::size_t tasks_;
  std::vector<std::size_t> block_, first_;
  std::vector<long long> place_;  // of a group in the pool, or -1
  std::vector<Index> column_;
  std::vector<Penalty> penalty_;
  std::vector<Spectrum> spectrum_;
  AlignedBuffer gram_;
  std::size_t stride_ = 0;
  std::size_t known_ = 0, judged_ = 0;  // columns with Gram entries, blocks with spectra
};

}  // namespace banditcd::groups
