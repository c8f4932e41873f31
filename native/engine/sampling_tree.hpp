// Draw an index with probability proportional to its weight, O(log d) per draw and per change.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace banditcd {

class SamplingTree {
 public:
  void assign(const std::vector<double>& weights) {
    leaves_ = 1;
    while (leaves_ < weights.size()) leaves_ *= 2;
    node_.assign(2 * leaves_, 0.0);
    std::copy(weights.begin(), weights.end(), node_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t k = leaves_; k-- > 1;) node_[k] = node_[2 * k] + node_[2 * k + 1];
  }

  // Sums are rebuilt from the children, so they never drift.
  void set(std::size_t i, double weight) {
    std::size_t k = leaves_ + i;
    node_[k] = weight;
    for (k /= 2; k >= 1; k /= 2) node_[k] = node_[2 * k] + node_[2 * k + 1];
  }

  void scale(double factor) {
    for (double& value : node_) value *= factor;
  }

  double get(std::size_t i) const { return node_[leaves_ + i]; }
  double total() const { return node_[1]; }

  // The index whose interval of the cumulative sum holds u * total(), 0 <= u < 1.
  std::size_t draw(double u) const {
    double target = u * node_[1];
    std::size_t k = 1;
    while (k < leaves_) {
      const double left = node_[2 * k];
      const bool go_right = target >= left && node_[2 * k + 1] > 0.0;  // never into an empty half
      if (go_right) target -= left;
      k = 2 * k + (go_right ? 1 : 0);
    }
    return k - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<double> node_{0.0, 0.0};
};

}  // namespace banditcd
