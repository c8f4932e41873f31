// Passes over dense rows and the packed products.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "kernels/memory.hpp"
#include "kernels/prices.hpp"
#include "kernels/tiles.hpp"
#include "kernels/vector.hpp"
#include "rows/class_passes.hpp"

namespace banditcd {
namespace {

// Single precision is not enough for what columns far from zero have beside their mean.
constexpr double kMeanShare = 0.95;
constexpr std::size_t kMeanRows = 48;
constexpr std::size_t kBlockEntries = 16384;  // of X between two halves of a fused pass: 128 KB

// Rows of packed blocks in either precision.
std::size_t whole(std::size_t n) { return (n + kRoughLane - 1) / kRoughLane * kRoughLane; }

// Squared scales of what is packed, and its centers; null: ones and zeros.
struct Geometry {
  const double* scale;
  const double* shift;
};

// Column j of the block, scaled and shifted, at out + j * lane; eight rows at a time, so that
// reads and writes both run along cache lines.
template <class T, class V>
void pack_columns(const DenseRows<T>& x, std::size_t first, std::size_t count,
                  const Geometry& geometry, V* out) {
  const double *d = geometry.scale, *shift = geometry.shift;
  const std::size_t lane = whole(count);
  for (std::size_t t = 0; t < lane; t += kLane) {
    const T* from[kLane];
    double scale[kLane];
    for (std::size_t u = 0; u < kLane; ++u) {
      const std::size_t i = first + std::min(t + u, count - 1);
      from[u] = x.row(i);
      scale[u] = t + u < count ? (d ? std::sqrt(d[i]) : 1.0) : 0.0;
    }
    for (std::size_t j = 0; j < x.cols; ++j) {
      V* to = out + j * lane + t;
      const double center = shift ? shift[j] : 0.0;
      for (std::size_t u = 0; u < kLane; ++u)
        to[u] = static_cast<V>((static_cast<double>(from[u][j]) - center) * scale[u]);
    }
  }
}

// Columns first .. first + count of row i, likewise, at out + i * lane.
template <class T>
void pack_rows(const DenseRows<T>& x, std::size_t first, std::size_t count,
               const Geometry& geometry, double* out) {
  const double *e = geometry.scale, *shift = geometry.shift;
  const std::size_t lane = padded(count);
  std::vector<double> scale(count, 1.0), center(count, 0.0);
  for (std::size_t t = 0; t < count; ++t) {
    if (e) scale[t] = std::sqrt(e[first + t]);
    if (shift) center[t] = shift[first + t];
  }
  for (std::size_t i = 0; i < x.rows; ++i) {
    const T* from = x.row(i) + first;
    double* to = out + i * lane;
    for (std::size_t t = 0; t < count; ++t)
      to[t] = (static_cast<double>(from[t]) - center[t]) * scale[t];
    std::fill(to + count, to + lane, 0.0);
  }
}

// The share of the squares that lies in the mean row, from some rows.
double mean_share(const RowMatrix& X) {
  const std::size_t step = std::max<std::size_t>(1, X.rows() / kMeanRows);
  std::vector<double> sum(X.cols(), 0.0);
  double square = 0.0, count = 0.0;
  for (std::size_t i = 0; i < X.rows(); i += step, count += 1.0) {
    square += X.row_square(i);
    X.row_axpy(i, 1.0, sum.data());
  }
  return dot(sum.data(), sum.data(), sum.size()) / std::max(count * square, 1e-300);
}

template <class T>
class Dense final : public RowMatrix {
 public:
  explicit Dense(const DenseRows<T>& rows)
      : RowMatrix(rows.rows, rows.cols, std::is_same_v<T, float>), x_(rows) {}
  std::size_t entries() const override { return rows() * cols(); }
  bool sparse() const override { return false; }
  double normal_cost() const override { return product_cost(rows(), cols()); }
  double outer_cost() const override { return product_cost(cols(), rows()); }

  void times(const double* w, double* out, Watch& watch) const override {
    for (std::size_t i = 0; i < rows(); i += block()) {
      products(i, std::min(block(), rows() - i), w, out + i);
      watch.check();
    }
  }
  void transposed_times(const double* v, double* out, Watch& watch) const override {
    std::fill(out, out + cols(), 0.0);
    for (std::size_t i = 0; i < rows(); i += block()) {
      combine(i, std::min(block(), rows() - i), v + i, out);
      watch.check();
    }
  }
  void transform(const double* w, const BlockMap& map, double* out, Watch& watch) const override {
    std::fill(out, out + cols(), 0.0);
    std::vector<double> values(block());
    for (std::size_t i = 0; i < rows(); i += block()) {
      const std::size_t count = std::min(block(), rows() - i);
      products(i, count, w, values.data());
      map(i, count, values.data());
      combine(i, count, values.data(), out);
      watch.check();
    }
  }
  void squares(const double* d, double* out, Watch& watch) const override {
    std::fill(out, out + cols(), 0.0);
    for (std::size_t i = 0; i < rows(); ++i) {
      const T* x = x_.row(i);
      const double t = d ? d[i] : 1.0;
      for (std::size_t j = 0; j < cols(); ++j) {
        const double value = static_cast<double>(x[j]);
        out[j] += t * value * value;
      }
      if (i % block() == 0) watch.check();
    }
  }

  void normal_matrix(const double* d, const double* shift, double* out, std::size_t stride,
                     Watch& watch) const override {
    add_normal_matrix<double>({d, shift}, out, stride, watch);
  }
  bool rough_pays(bool centered) const override {
    return normal_cost() >= kRoughFrom && (centered || mean_share(*this) <= kMeanShare);
  }
  void rough_normal_matrix(const double* d, const double* shift, double* out, std::size_t stride,
                           Watch& watch) const override {
    add_normal_matrix<float>({d, shift}, out, stride, watch);
  }
  void outer_matrix(const double* e, const double* shift, double* out, std::size_t stride,
                    Watch& watch) const override {
    for (std::size_t i = 0; i < rows(); ++i) std::fill_n(out + i * stride, stride, 0.0);
    AlignedBuffer packed;
    packed.reserve(rows() * padded(std::min(kGramRows, cols())));
    for (std::size_t j = 0; j < cols(); j += kGramRows) {
      const std::size_t count = std::min(kGramRows, cols() - j), lane = padded(count);
      pack_rows(x_, j, count, {e, shift}, packed.data());
      add_products({packed.data(), lane, rows()}, {packed.data(), lane, rows()}, lane, 1.0, out,
                   stride, Part::kDiagonal);
      watch.check();
    }
  }

  std::unique_ptr<ClassPasses> class_passes() const override { return make_class_passes(x_); }
  std::unique_ptr<RowMatrix> part(const RowRange& range) const override {
    const DenseRows<T> view = {x_.row(range.first), range.size(), cols(), range.step * x_.stride};
    return std::make_unique<Dense<T>>(view);
  }

  double row_dot(std::size_t i, const double* w) const override {
    return banditcd::dot(x_.row(i), w, cols());
  }
  void row_axpy(std::size_t i, double t, double* w) const override {
    banditcd::axpy(t, x_.row(i), w, cols());
  }
  double row_square(std::size_t i) const override {
    const T* x = x_.row(i);
    if constexpr (std::is_same_v<T, double>) return banditcd::dot(x, x, cols());
    double sum[4] = {0.0, 0.0, 0.0, 0.0};  // independent sums, so that additions overlap
    std::size_t j = 0;
    for (; j + 4 <= cols(); j += 4)
      for (std::size_t u = 0; u < 4; ++u)
        sum[u] += static_cast<double>(x[j + u]) * static_cast<double>(x[j + u]);
    for (; j < cols(); ++j) sum[0] += static_cast<double>(x[j]) * static_cast<double>(x[j]);
    return sum[0] + sum[1] + sum[2] + sum[3];
  }
  std::size_t row_entries(std::size_t) const override { return cols(); }

  void round_row(std::size_t i, float* out) const override {
    const T* x = x_.row(i);
    for (std::size_t j = 0; j < cols(); ++j) out[j] = static_cast<float>(x[j]);
  }
  std::unique_ptr<RowMatrix> rounded(const float* values) const override {
    return std::make_unique<Dense<float>>(DenseRows<float>{values, rows(), cols(), cols()});
  }

 private:
  std::size_t block() const {
    return std::max<std::size_t>(4, kBlockEntries / std::max<std::size_t>(cols(), 1) / 4 * 4);
  }

  void products(std::size_t first, std::size_t count, const double* w, double* out) const {
    std::size_t t = 0;
    for (; t + 4 <= count; t += 4) {
      const T* x[4] = {x_.row(first + t), x_.row(first + t + 1), x_.row(first + t + 2),
                       x_.row(first + t + 3)};
      dot4(x, w, cols(), out + t);
    }
    for (; t < count; ++t) out[t] = banditcd::dot(x_.row(first + t), w, cols());
  }
  void combine(std::size_t first, std::size_t count, const double* v, double* out) const {
    std::size_t t = 0;
    for (; t + 4 <= count; t += 4) {
      const T* x[4] = {x_.row(first + t), x_.row(first + t + 1), x_.row(first + t + 2),
                       x_.row(first + t + 3)};
      axpy4(v + t, x, out, cols());
    }
    for (; t < count; ++t)
      if (v[t] != 0.0) banditcd::axpy(v[t], x_.row(first + t), out, cols());
  }

  // Products of columns that are packed as V.
  template <class V>
  void add_normal_matrix(const Geometry& geometry, double* out, std::size_t stride,
                         Watch& watch) const {
    for (std::size_t j = 0; j < cols(); ++j) std::fill_n(out + j * stride, stride, 0.0);
    std::vector<V, AlignedAllocator<V>> packed(cols() * whole(std::min(kGramRows, rows())));
    for (std::size_t i = 0; i < rows(); i += kGramRows) {
      const std::size_t count = std::min(kGramRows, rows() - i), lane = whole(count);
      pack_columns(x_, i, count, geometry, packed.data());
      const PackedRowsOf<V> columns = {packed.data(), lane, cols()};
      add_products(columns, columns, lane, 1.0, out, stride, Part::kDiagonal);
      watch.check();
    }
  }

  DenseRows<T> x_;
};

}  // namespace

std::unique_ptr<RowMatrix> make_rows(const DenseRows<double>& rows) {
  return std::make_unique<Dense<double>>(rows);
}
std::unique_ptr<RowMatrix> make_rows(const DenseRows<float>& rows) {
  return std::make_unique<Dense<float>>(rows);
}

}  // namespace banditcd
