#include "svm/gram_space.hpp"

namespace banditcd::svm {

bool GramSpace::build(Watch& watch) {
  const std::size_t n = problem_.rows->stored().count();
  stride_ = padded(n);
  matrix_.reserve(n * stride_);
  problem_.rows->stored().gram({matrix_.data(), stride_}, watch);
  if (!factor(watch)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    double* row = matrix_.data() + i * stride_;
    std::copy_n(factor_.row(i), i + 1, row);
    std::fill(row + i + 1, row + stride_, 0.0);
  }
  rows_ = problem_.rows->over(DenseColumns<double>{matrix_.data(), n, n, stride_});
  reduced_ = problem_;
  reduced_.rows = &*rows_;
  return true;
}

// The smallest ridge that makes K positive definite in float64: rounding takes about 1e-15 of the
// largest square, and 1e-8 of it would show in the weights.
bool GramSpace::factor(Watch& watch) {
  const std::size_t n = problem_.rows->stored().count();
  factor_.resize(n);
  for (double ridge = 1e-15; ridge < 1e-8; ridge *= 10.0) {
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(matrix_.data() + i * stride_, i + 1, factor_.row(i));
      factor_.row(i)[i] += ridge * problem_.largest;
    }
    if (factor_.factor(0.0, watch)) return true;
  }
  return false;
}

Pair GramSpace::reduced(const Pair& pair) {
  Pair small;
  small.w.assign(reduced_.dim(), 0.0);
  small.a.assign(reduced_.size(), 0.0);
  if (!pair.warm) return small;
  small.a = pair.a;
  small.warm = true;
  rows_->accumulate(reduced_.ids.data(), small.a.data(), small.a.size(), small.w.data());
  if (reduced_.free_bias) small.w.back() = pair.w.back();
  return small;
}

Pair GramSpace::lifted(const Pair& small) {
  Rows& rows = *problem_.rows;
  const std::size_t n = rows.stored().count();
  std::vector<double> u(small.w.begin(), small.w.begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<Index> ids(n);
  for (std::size_t i = n; i-- > 0;) {
    u[i] /= factor_.row(i)[i];
    for (std::size_t j = 0; j < i; ++j) u[j] -= factor_.row(i)[j] * u[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    ids[i] = rows.first_of(i);
    u[i] *= rows.label(ids[i]);
  }
  Pair pair{
      std::vector<double>(problem_.dim(), 0.0), small.a, true, false, Regime::kGram, small.bias};
  rows.accumulate(ids.data(), u.data(), n, pair.w.data());
  if (rows.constant() != 0.0) pair.w[rows.stored().features()] = small.w[n];
  return pair;
}

}  // namespace banditcd::svm
