// Passes over compressed sparse rows, and products by row scatter.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "kernels/memory.hpp"
#include "kernels/prices.hpp"
#include "kernels/scatter.hpp"
#include "kernels/tiles.hpp"
#include "rows/class_passes.hpp"

namespace banditcd {
namespace {

constexpr std::size_t kBlock = 128;             // rows between two halves of a fused pass
constexpr std::size_t kCheckEntries = 1 << 19;  // entries between two looks at the watch

// sum_i d_i x_i x_i^T, lower triangle, by chunks of rows with a look at the watch in between.
template <class T>
void scatter(const CsrRows<T>& rows, const double* d, double* out, std::size_t stride,
             Watch& watch) {
  const CscColumns<T> columns = {rows.value, rows.column, rows.start, rows.cols, rows.rows};
  const ScatterTarget target = {out, stride};
  std::vector<std::int32_t> which(kBlock);
  std::vector<double> weight(kBlock, 1.0);
  for (std::size_t i = 0; i < rows.rows; i += kBlock) {
    std::size_t count = 0;
    for (std::size_t t = i; t < std::min(i + kBlock, rows.rows); ++t) {
      if (d && d[t] == 0.0) continue;
      which[count] = static_cast<std::int32_t>(t);
      weight[count++] = d ? d[t] : 1.0;
    }
    scatter_rows(columns, which.data(), weight.data(), count, target);
    if (i / kBlock % 8 == 0) watch.check();
  }
}

// The same by packed products of dense blocks, for rows that are not so sparse.
template <class T>
void add_dense_blocks(const CsrRows<T>& rows, const double* d, double* out, std::size_t stride,
                      Watch& watch) {
  const std::size_t block = std::min(kGramRows, rows.rows), lane = padded(block);
  AlignedBuffer packed;
  packed.reserve(rows.cols * lane);
  for (std::size_t i = 0; i < rows.rows; i += block) {
    std::fill_n(packed.data(), rows.cols * lane, 0.0);
    for (std::size_t t = i; t < std::min(i + block, rows.rows); ++t) {
      const double scale = d ? std::sqrt(d[t]) : 1.0;
      double* to = packed.data() + (t - i);
      for (std::int64_t k = rows.start[t]; k < rows.start[t + 1]; ++k)
        to[static_cast<std::size_t>(rows.column[k]) * lane] =
            scale * static_cast<double>(rows.value[k]);
    }
    const PackedRows columns = {packed.data(), lane, rows.cols};
    add_products(columns, columns, lane, 1.0, out, stride, Part::kDiagonal);
    watch.check();
  }
}

// X^T, by counting.
template <class T>
CompressedArrays<T> transposed(const CsrRows<T>& from) {
  CompressedArrays<T> to;
  const std::int64_t first = from.start[0], last = from.start[from.rows];
  to.value.resize(static_cast<std::size_t>(last - first));
  to.index.resize(to.value.size());
  to.start.assign(from.cols + 1, 0);
  for (std::int64_t k = first; k < last; ++k) ++to.start[from.column[k] + 1];
  for (std::size_t j = 0; j < from.cols; ++j) to.start[j + 1] += to.start[j];
  std::vector<std::int64_t> next(to.start.begin(), to.start.end() - 1);
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::int64_t k = from.start[i]; k < from.start[i + 1]; ++k) {
      const std::int64_t at = next[from.column[k]]++;
      to.value[at] = from.value[k];
      to.index[at] = static_cast<std::int32_t>(i);
    }
  return to;
}

double square(double value) { return value * value; }

// Pairs of stored entries that share a row, or a column.
struct Pairs {
  double in_rows, in_columns;
};

template <class T>
class Sparse final : public RowMatrix {
 public:
  Sparse(const CsrRows<T>& rows, const Pairs& pairs)
      : RowMatrix(rows.rows, rows.cols, std::is_same_v<T, float>),
        rows_(rows),
        row_pairs_(pairs.in_rows),
        column_pairs_(pairs.in_columns) {}
  explicit Sparse(const CsrRows<T>& rows)
      : RowMatrix(rows.rows, rows.cols, std::is_same_v<T, float>), rows_(rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const auto count = static_cast<double>(row_entries(i));
      row_pairs_ += 0.5 * count * (count + 1.0);
    }
    if (rows.rows > rows.cols) {  // the outer products of tall data are never wanted
      column_pairs_ = 1e300;
      return;
    }
    std::vector<std::int32_t> in_column(rows.cols, 0);
    for (std::int64_t k = rows.start[0]; k < rows.start[rows.rows]; ++k)
      ++in_column[rows.column[k]];
    for (const double count : in_column) column_pairs_ += 0.5 * count * (count + 1.0);
  }
  std::size_t entries() const override {
    return static_cast<std::size_t>(rows_.start[rows()] - rows_.start[0]);
  }
  bool sparse() const override { return true; }
  double normal_cost() const override {
    return std::min(scatter_cost(row_pairs_, cols()), product_cost(rows(), cols()));
  }
  double outer_cost() const override {
    return scatter_cost(column_pairs_, rows()) + kTransposedEntry * static_cast<double>(entries()) +
           kTransposedColumn * static_cast<double>(cols());
  }

  void times(const double* w, double* out, Watch& watch) const override {
    for (std::size_t i = 0; i < rows(); ++i) {
      out[i] = row_dot(i, w);
      if (due(i, 1)) watch.check();
    }
  }
  void transposed_times(const double* v, double* out, Watch& watch) const override {
    std::fill(out, out + cols(), 0.0);
    for (std::size_t i = 0; i < rows(); ++i) {
      if (v[i] != 0.0) row_axpy(i, v[i], out);
      if (due(i, 1)) watch.check();
    }
  }
  void transform(const double* w, const BlockMap& map, double* out, Watch& watch) const override {
    std::fill(out, out + cols(), 0.0);
    double values[kBlock];
    for (std::size_t i = 0; i < rows(); i += kBlock) {
      const std::size_t count = std::min(kBlock, rows() - i);
      for (std::size_t t = 0; t < count; ++t) values[t] = row_dot(i + t, w);
      map(i, count, values);
      for (std::size_t t = 0; t < count; ++t)
        if (values[t] != 0.0) row_axpy(i + t, values[t], out);
      if (due(i, count)) watch.check();
    }
  }
  void squares(const double* d, double* out, Watch& watch) const override {
    std::fill(out, out + cols(), 0.0);
    for (std::size_t i = 0; i < rows(); ++i) {
      const double t = d ? d[i] : 1.0;
      if (t == 0.0) continue;
      for (std::int64_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        const double value = static_cast<double>(rows_.value[k]);
        out[rows_.column[k]] += t * value * value;
      }
      if (due(i, 1)) watch.check();
    }
  }

  // A shift is a correction of rank two: sparse rows are never centered in memory.
  void normal_matrix(const double* d, const double* shift, double* out, std::size_t stride,
                     Watch& watch) const override {
    for (std::size_t j = 0; j < cols(); ++j) std::fill_n(out + j * stride, stride, 0.0);
    if (scatter_cost(row_pairs_, cols()) <= product_cost(rows(), cols()))
      scatter(rows_, d, out, stride, watch);
    else
      add_dense_blocks(rows_, d, out, stride, watch);
    if (!shift) return;
    std::vector<double> sum(cols());
    if (d) transposed_times(d, sum.data(), watch);
    for (std::size_t i = 0; !d && i < rows(); ++i) {
      row_axpy(i, 1.0, sum.data());
      if (due(i, 1)) watch.check();
    }
    double total = 0.0;
    for (std::size_t i = 0; i < rows(); ++i) total += d ? d[i] : 1.0;
    for (std::size_t j = 0; j < cols(); ++j)
      for (std::size_t k = 0; k <= j; ++k)
        out[j * stride + k] += total * shift[j] * shift[k] - shift[j] * sum[k] - sum[j] * shift[k];
  }
  void outer_matrix(const double* e, const double* shift, double* out, std::size_t stride,
                    Watch& watch) const override {
    for (std::size_t i = 0; i < rows(); ++i) std::fill_n(out + i * stride, i + 1, 0.0);
    const CompressedArrays<T> by_column = transposed(rows_);
    scatter(rows_of_transpose(by_column.columns(rows())), e, out, stride, watch);
    if (!shift) return;
    std::vector<double> scaled(shift, shift + cols()), product(rows());
    double square = 0.0;
    for (std::size_t j = 0; j < cols(); ++j) {
      if (e) scaled[j] *= e[j];
      square += scaled[j] * shift[j];
    }
    times(scaled.data(), product.data(), watch);
    for (std::size_t i = 0; i < rows(); ++i)
      for (std::size_t k = 0; k <= i; ++k) out[i * stride + k] += square - product[i] - product[k];
  }

  std::unique_ptr<ClassPasses> class_passes() const override { return make_class_passes(rows_); }
  std::unique_ptr<RowMatrix> part(const RowRange& range) const override {
    if (range.step == 1) return neighbors(range);
    CompressedArrays<T> copy;
    std::int64_t entries = 0;
    for (std::size_t i = range.first; i < range.first + range.count; i += range.step)
      entries += rows_.start[i + 1] - rows_.start[i];
    copy.value.reserve(static_cast<std::size_t>(entries));
    copy.index.reserve(static_cast<std::size_t>(entries));
    for (std::size_t i = range.first; i < range.first + range.count; i += range.step) {
      const std::int64_t first = rows_.start[i], last = rows_.start[i + 1];
      copy.value.insert(copy.value.end(), rows_.value + first, rows_.value + last);
      copy.index.insert(copy.index.end(), rows_.column + first, rows_.column + last);
      copy.end_column();
    }
    auto out = std::make_unique<Sparse<T>>(rows_of_transpose(copy.columns(cols())));
    out->owned_ = std::move(copy);
    return out;
  }

  double row_dot(std::size_t i, const double* w) const override {
    const std::int64_t last = rows_.start[i + 1];
    std::int64_t k = rows_.start[i];
    double s[4] = {0.0, 0.0, 0.0, 0.0};  // independent sums, so that additions overlap
    for (; k + 4 <= last; k += 4)
      for (int t = 0; t < 4; ++t)
        s[t] += static_cast<double>(rows_.value[k + t]) * w[rows_.column[k + t]];
    for (; k < last; ++k) s[0] += static_cast<double>(rows_.value[k]) * w[rows_.column[k]];
    return (s[0] + s[1]) + (s[2] + s[3]);
  }
  void row_axpy(std::size_t i, double t, double* w) const override {
    const std::int64_t last = rows_.start[i + 1];
    std::int64_t k = rows_.start[i];
    // The columns of a row differ, so four sums need not wait for one another.
    for (; k + 4 <= last; k += 4) {
      double sum[4];
      for (int u = 0; u < 4; ++u)
        sum[u] = w[rows_.column[k + u]] + t * static_cast<double>(rows_.value[k + u]);
      for (int u = 0; u < 4; ++u) w[rows_.column[k + u]] = sum[u];
    }
    for (; k < last; ++k) w[rows_.column[k]] += t * static_cast<double>(rows_.value[k]);
  }
  double row_square(std::size_t i) const override {
    const std::int64_t last = rows_.start[i + 1];
    std::int64_t k = rows_.start[i];
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    for (; k + 4 <= last; k += 4)
      for (int t = 0; t < 4; ++t) s[t] += square(rows_.value[k + t]);
    for (; k < last; ++k) s[0] += square(rows_.value[k]);
    return (s[0] + s[1]) + (s[2] + s[3]);
  }
  std::size_t row_entries(std::size_t i) const override {
    return static_cast<std::size_t>(rows_.start[i + 1] - rows_.start[i]);
  }

  void round_row(std::size_t i, float* out) const override {
    for (std::int64_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k)
      *out++ = static_cast<float>(rows_.value[k]);
  }
  std::unique_ptr<RowMatrix> rounded(const float* values) const override {
    const CsrRows<float> view = {values, rows_.column, rows_.start, rows(), cols()};
    return std::make_unique<Sparse<float>>(view, Pairs{row_pairs_, column_pairs_});
  }

 private:
  // Pairs are taken to be spread evenly.
  std::unique_ptr<RowMatrix> neighbors(const RowRange& range) const {
    const CsrRows<T> view = {rows_.value, rows_.column, rows_.start + range.first, range.count,
                             cols()};
    const double share = static_cast<double>(range.count) / static_cast<double>(rows());
    return std::make_unique<Sparse<T>>(view, Pairs{share * row_pairs_, share * column_pairs_});
  }
  // Whether the rows i .. i + count pass a multiple of kCheckEntries.
  bool due(std::size_t i, std::size_t count) const {
    return rows_.start[i + count] / static_cast<std::int64_t>(kCheckEntries) !=
           rows_.start[i] / static_cast<std::int64_t>(kCheckEntries);
  }

  CsrRows<T> rows_;
  CompressedArrays<T> owned_;  // the data, if this is a sample
  double row_pairs_ = 0.0, column_pairs_ = 0.0;
};

}  // namespace

std::unique_ptr<RowMatrix> make_rows(const CsrRows<double>& rows) {
  return std::make_unique<Sparse<double>>(rows);
}
std::unique_ptr<RowMatrix> make_rows(const CsrRows<float>& rows) {
  return std::make_unique<Sparse<float>>(rows);
}

}  // namespace banditcd
