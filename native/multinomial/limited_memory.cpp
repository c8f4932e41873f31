#include "multinomial/limited_memory.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd::multinomial {
namespace {

constexpr double kLeastCosine = 1e-14;  // of s and y: less is rounding, whatever the scale of X

}  // namespace

void LimitedMemory::visit(AlignedVector point, const AlignedVector& gradient) {
  const std::size_t size = point.size();
  if (!point_.empty()) {
    for (std::size_t t = 0; t < size; ++t) {
      point_[t] = point[t] - point_[t];
      gradient_[t] = gradient[t] - gradient_[t];
    }
    const double product = dot(point_.data(), gradient_.data(), size);
    const double square = dot(gradient_.data(), gradient_.data(), size);
    const double length = std::sqrt(dot(point_.data(), point_.data(), size));
    if (product > kLeastCosine * length * std::sqrt(square)) {
      if (pair_.size() < kPairs)
        pair_.emplace_back();
      else
        std::rotate(pair_.begin(), pair_.begin() + 1, pair_.end());
      Pair& last = pair_.back();
      last.s.assign(point_.begin(), point_.end());
      last.y.assign(gradient_.begin(), gradient_.end());
      last.product = product;
      last.scale = product / square;
    }
  }
  point_.swap(point);
  gradient_ = gradient;
}

// The two loops, each in one reading of v per pair: the next product comes with the last sum.
void LimitedMemory::direction(const AlignedVector& gradient, AlignedVector& v) {
  const std::size_t size = gradient.size(), count = pair_.size();
  for (std::size_t t = 0; t < size; ++t) v[t] = -gradient[t];
  if (count == 0) return;
  share_.resize(count);
  double product = dot(pair_[count - 1].s.data(), v.data(), size);
  for (std::size_t c = count; c-- > 0;) {
    share_[c] = product / pair_[c].product;
    const Pair& next = pair_[c > 0 ? c - 1 : 0];
    product = axpy_dot(-share_[c], pair_[c].y.data(), v.data(), next.s.data(), size);
  }
  for (double& value : v) value *= pair_[count - 1].scale;
  product = dot(pair_[0].y.data(), v.data(), size);
  for (std::size_t c = 0; c < count; ++c) {
    const double t = share_[c] - product / pair_[c].product;
    const Pair& next = pair_[c + 1 < count ? c + 1 : c];
    product = axpy_dot(t, pair_[c].s.data(), v.data(), next.y.data(), size);
  }
}

}  // namespace banditcd::multinomial
