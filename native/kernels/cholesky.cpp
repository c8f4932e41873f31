#include "kernels/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/tiles.hpp"
#include "kernels/vector.hpp"

namespace banditcd {
namespace {

// Whole lanes, so that products over earlier columns have no tail. Wide blocks read the matrix
// less often; narrow ones leave less to the plain loops on the diagonal.
constexpr std::size_t kNarrow = 32, kWide = 64, kWideFrom = 600;

}  // namespace

void Cholesky::resize(std::size_t size, std::size_t room) {
  size_ = size;
  room_ = size + room;
  stride_ = padded(room_);
  block_ = size >= kWideFrom ? kWide : kNarrow;
  factor_.reserve(room_ * stride_);
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

bool Cholesky::append(double tolerance) {
  double* a = row(size_);
  for (std::size_t j = 0; j < size_; ++j) a[j] = (a[j] - dot(a, row(j), j)) / row(j)[j];
  const double pivot = a[size_] - dot(a, a, size_);
  if (!(pivot > tolerance * a[size_])) return false;
  a[size_] = std::sqrt(pivot);
  ++size_;
  return true;
}

// Row by row, each moved up by one and, beyond column k, to the left by one. Rotation j turns
// column j and the column that leaves, so that what is carried along the row ends as zero. A row
// is one long chain of rotations: four rows at a time keep the processor busy.
void Cholesky::remove(std::size_t k) {
  constexpr std::size_t kRows = 4;
  cosine_.resize(size_);
  sine_.resize(size_);
  std::size_t i = k + 1;
  for (; i + kRows <= size_; i += kRows) {
    double carried[kRows];
    for (std::size_t t = 0; t < kRows; ++t) {
      std::copy_n(row(i + t), k, row(i + t - 1));
      carried[t] = row(i + t)[k];
    }
    for (std::size_t j = k; j + 1 < i; ++j) {
      const double c = cosine_[j], s = sine_[j];
      double old[kRows];
      for (std::size_t t = 0; t < kRows; ++t) old[t] = row(i + t)[j + 1];
      for (std::size_t t = 0; t < kRows; ++t) {
        row(i + t - 1)[j] = c * old[t] + s * carried[t];
        carried[t] = c * carried[t] - s * old[t];
      }
    }
    for (std::size_t t = 0; t < kRows; ++t) rotate_row(i + t, i - 1, carried[t]);
  }
  for (; i < size_; ++i) {
    std::copy_n(row(i), k, row(i - 1));
    rotate_row(i, k, row(i)[k]);
  }
  --size_;
}

// Columns first .. i - 1 of row i, whose new place is row i - 1, and the rotation it starts.
void Cholesky::rotate_row(std::size_t i, std::size_t first, double carried) {
  const double* from = row(i) + 1;
  double* to = row(i - 1);
  for (std::size_t j = first; j + 1 < i; ++j) {
    const double old = from[j];
    to[j] = cosine_[j] * old + sine_[j] * carried;
    carried = cosine_[j] * carried - sine_[j] * old;
  }
  const double length = std::hypot(from[i - 1], carried);
  cosine_[i - 1] = from[i - 1] / length;
  sine_[i - 1] = carried / length;
  to[i - 1] = length;
}

void Cholesky::solve(double* b) const {
  for (std::size_t i = 0; i < size_; ++i) b[i] = (b[i] - dot(row(i), b, i)) / row(i)[i];
  for (std::size_t i = size_; i-- > 0;) {
    b[i] /= row(i)[i];
    axpy(-b[i], row(i), b, i);
  }
}

}  // namespace banditcd
