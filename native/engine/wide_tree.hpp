// A tree whose nodes have eight children, each family in one cache line.
#pragma once
#include <cstddef>
#include <vector>

namespace banditcd {

// Node k of level l + 1 combines the eight nodes 8k .. 8k + 7 of level l; level 0 holds the values.
// Five levels serve 20 000 values, where a binary tree needs fifteen and misses the cache in each.
template <class Combine>
class WideTree {
 public:
  static constexpr std::size_t kFan = 8;
  struct alignas(64) Family {
    double child[kFan];
  };

  void assign(const std::vector<double>& values) {
    size_ = values.size();
    levels_.clear();
    levels_.push_back(families(size_));
    for (std::size_t i = 0; i < size_; ++i) levels_[0][i / kFan].child[i % kFan] = values[i];
    while (levels_.back().size() > 1) {
      const std::vector<Family>& below = levels_.back();
      std::vector<Family> above = families(below.size());
      for (std::size_t k = 0; k < below.size(); ++k)
        above[k / kFan].child[k % kFan] = Combine::of(below[k].child);
      levels_.push_back(std::move(above));
    }
    root_ = Combine::of(levels_.back()[0].child);
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

}  // namespace banditcd
