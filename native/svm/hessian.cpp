#include "svm/hessian.hpp"

namespace banditcd::svm {

void Hessian::resize(std::size_t dim) {
  dim_ = dim;
  stride_ = padded(dim);
  sum_.reserve(dim_ * stride_);
  factor_.resize(dim);
  clear();
}

void Hessian::clear() { std::fill_n(sum_.data(), dim_ * stride_, 0.0); }

void Hessian::add(Rows& rows, const Changes& changes, double sign, Watch& watch) {
  if (changes.size() == 0) return;
  const Triangle target{sum_.data(), stride_};
  const Outer outer{changes.ids.data(), changes.amounts.data(), changes.size(), sign};
  if (rough_ && rows.add_outer_roughly(outer, target, watch)) return;
  rows.add_outer(outer, target, watch);
}

bool Hessian::factor(double scale, std::size_t penalized, Watch& watch) {
  for (const double ridge : {0.0, 1e-13, 1e-10, 1e-7}) {
    double largest = 1.0;
    for (std::size_t i = 0; i < dim_; ++i) {
      const double* from = sum_.data() + i * stride_;
      double* to = factor_.row(i);
      for (std::size_t j = 0; j <= i; ++j) to[j] = scale * from[j];
      largest = std::max(largest, to[i]);
    }
    for (std::size_t i = 0; i < dim_; ++i) {
      double* diagonal = factor_.row(i) + i;
      // A free intercept without free rows has no curvature at all: a tiny one leaves it in place.
      *diagonal += i < penalized ? 1.0 : 1e-12 * std::max(*diagonal, 1e-3);
      *diagonal += ridge * largest;
    }
    if (factor_.factor(1e-15, watch)) return true;
  }
  return false;
}

}  // namespace banditcd::svm
