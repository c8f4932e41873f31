#include "record/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "record/tiles.hpp"

namespace banditcd::record {
namespace {

// Whole lanes, so that products over earlier columns have no tail. Wide blocks read the matrix
// less often; narrow ones leave less to the plain loops on the diagonal.
constexpr std::size_t kNarrow = 32, kWide = 64, kWideFrom = 600;

}  // namespace

void Cholesky::resize(std::size_t size) {
  size_ = size;
  stride_ = padded(size);
  block_ = size >= kWideFrom ? kWide : kNarrow;
  factor_.reserve(size_ * stride_);
  original_diagonal_.reserve(size_);
  inverse_.reserve(block_ * block_);
  panel_.reserve(size_ * block_);
}

bool Cholesky::factor(double tolerance, Watch& watch) {
  for (std::size_t i = 0; i < size_; ++i) original_diagonal_.data()[i] = row(i)[i];
  for (std::size_t first = 0; first < size_; first += block_) {
    const std::size_t last = std::min(first + block_, size_);
    // Columns first .. last of every row below, minus what the earlier columns explain.
    add_products({row(first), stride_, last - first}, {row(first), stride_, size_ - first}, first,
                 -1.0, row(first) + first, stride_, Part::kAll);
    if (!factor_diagonal(first, last, tolerance)) return false;
    if (last < size_) {
      invert_diagonal(first, last);
      scale_below(first, last);
    }
    watch.check();
  }
  return true;
}

bool Cholesky::factor_diagonal(std::size_t first, std::size_t last, double tolerance) {
  for (std::size_t i = first; i < last; ++i) {
    double* a = row(i) + first;
    for (std::size_t j = first; j < i; ++j) {
      const double* b = row(j) + first;
      a[j - first] = (a[j - first] - dot(a, b, j - first)) / b[j - first];
    }
    const double pivot = a[i - first] - dot(a, a, i - first);
    if (!(pivot > tolerance * original_diagonal_.data()[i])) return false;
    a[i - first] = std::sqrt(pivot);
  }
  return true;
}

// The rows of the inverse of the diagonal block, so that the rows below need only products.
void Cholesky::invert_diagonal(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    double* out = inverse_.data() + (i - first) * block_;
    const double* l = row(i) + first;
    std::fill(out, out + block_, 0.0);
    out[i - first] = 1.0;
    for (std::size_t j = first; j < i; ++j)
      axpy(-l[j - first], inverse_.data() + (j - first) * block_, out, j - first + 1);
    for (std::size_t j = first; j <= i; ++j) out[j - first] /= l[i - first];
  }
}

void Cholesky::scale_below(std::size_t first, std::size_t last) {
  const std::size_t below = size_ - last;  // last - first == block_ here
  std::fill(panel_.data(), panel_.data() + below * block_, 0.0);
  add_products({inverse_.data(), block_, block_}, {row(last) + first, stride_, below}, block_, 1.0,
               panel_.data(), block_);
  for (std::size_t i = 0; i < below; ++i)
    std::copy_n(panel_.data() + i * block_, block_, row(last + i) + first);
}

void Cholesky::solve(double* b) const {
  for (std::size_t i = 0; i < size_; ++i) b[i] = (b[i] - dot(row(i), b, i)) / row(i)[i];
  for (std::size_t i = size_; i-- > 0;) {
    b[i] /= row(i)[i];
    axpy(-b[i], row(i), b, i);
  }
}

}  // namespace banditcd::record
