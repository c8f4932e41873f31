// A tree whose nodes have eight children, each family in one cache line.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace banditcd::engine {

// Node k of level l + 1 combines the eight nodes 8k .. 8k + 7 of level l; level 0 holds the values.
// Five levels serve 20 000 values, where a binary tree needs fifteen and misses the cache in each.
template <class Combine>
class WideTree {
 public:
  static constexpr std::size_t kFan = 8;
  struct alignas(64) Family {
    double child[kFan];
  };
  static_assert(sizeof(Family) == kFan * sizeof(double), "families must be contiguous");

  // Room for n values, contiguous and to be filled by the caller; then rebuild().
  double* values(std::size_t n) {
    if (levels_.empty() || size_ != n) make_room(n);
    return reinterpret_cast<double*>(levels_[0].data());
  }
  void rebuild() {
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
      for (std::size_t k = 0; k < levels_[l].size(); ++k)
        levels_[l + 1][k / kFan].child[k % kFan] = Combine::of(levels_[l][k].child);
    root_ = Combine::of(levels_.back()[0].child);
  }
  void assign(const std::vector<double>& from) {
    std::copy(from.begin(), from.end(), values(from.size()));
    rebuild();
  }

  void set(std::size_t i, double value) {
    for (std::vector<Family>& level : levels_) {
      Family& family = level[i / kFan];
      family.child[i % kFan] = value;
      value = Combine::of(family.child);
      i /= kFan;
      if (&level != &levels_.back() && parent(level, i) == value) return;  // no change further up
    }
    root_ = value;
  }

  double get(std::size_t i) const { return levels_[0][i / kFan].child[i % kFan]; }
  double root() const { return root_; }
  std::size_t size() const { return size_; }

 protected:
  // Walk from the root to a leaf: choose(children) says which child to enter.
  template <class Choose>
  std::size_t descend(Choose&& choose) const {
    std::size_t k = 0;
    for (std::size_t l = levels_.size(); l-- > 0;) k = k * kFan + choose(levels_[l][k].child);
    return k;
  }

  void scale_all(double factor) {
    for (std::vector<Family>& level : levels_)
      for (Family& family : level)
        for (double& child : family.child) child *= factor;
    root_ *= factor;
  }

 private:
  void make_room(std::size_t n) {
    size_ = n;
    levels_.clear();
    do {
      levels_.push_back(families(n));
      n = levels_.back().size();
    } while (n > 1);
  }
  static std::vector<Family> families(std::size_t n) {
    Family empty;
    for (double& child : empty.child) child = Combine::kEmpty;
    return std::vector<Family>(n == 0 ? 1 : (n + kFan - 1) / kFan, empty);
  }
  double parent(const std::vector<Family>& level, std::size_t k) const {
    return (&level + 1)->at(k / kFan).child[k % kFan];
  }

  std::size_t size_ = 0;
  std::vector<std::vector<Family>> levels_;
  double root_ = Combine::kEmpty;
};

}  // namespace banditcd::engine
