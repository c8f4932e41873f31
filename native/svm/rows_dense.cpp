#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "kernels/memory.hpp"
#include "kernels/tiles.hpp"
#include "svm/rows_of.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {
namespace {

// Memory of a large copy: on large pages, where the system has them, for its first use takes half
// the time.
class CopyBuffer {
 public:
  float* data() { return data_.get(); }
  void allocate(std::size_t floats) {
    const std::size_t bytes = floats * sizeof(float);
    data_.reset(static_cast<float*>(::operator new(bytes, std::align_val_t(kPage))));
#if defined(__linux__)
    madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish: small pages do as well
#endif
  }

 private:
  static constexpr std::size_t kPage = 1u << 21;
  struct Free {
    void operator()(float* p) const { ::operator delete(p, std::align_val_t(kPage)); }
  };
  std::unique_ptr<float, Free> data_;
};

// Rows in single precision, converted when they are first read.
struct Copy {
  static constexpr std::size_t kLane = 16;  // floats of a cache line: rows start on one
  static constexpr std::size_t kPiece = 512;
  static std::size_t stride(std::size_t rows) { return (rows + kLane - 1) / kLane * kLane; }

  const DenseColumns<double>& from;
  float* to;
  char* done;
  std::size_t rows;

  float* place(std::size_t i) const { return to + i * stride(rows); }
  const float* column(std::size_t i) const {
    float* out = place(i);
    if (done[i] == 0) {
      tile_kernel().narrow(from.column(i), rows, 0.0, 1.0, out);
      done[i] = 1;
    }
    return out;
  }
  // Converts a row and returns its square, piece by piece: each is in the first cache for both.
  double convert(std::size_t i) const {
    const double* in = from.column(i);
    double sum = 0.0;
    for (std::size_t j = 0; j < rows; j += kPiece) {
      const std::size_t size = std::min(kPiece, rows - j);
      sum += dot(in + j, in + j, size);
      tile_kernel().narrow(in + j, size, 0.0, 1.0, place(i) + j);
    }
    done[i] = 1;
    return sum;
  }
};
double row_dot(const Copy& x, const Row& row, const double* w) {
  return dot(x.column(row.i), w, x.rows);
}
void row_axpy(const Copy& x, const Row& row, double t, double* w) {
  axpy(t, x.column(row.i), w, x.rows);
}
double row_axpy_dot(const Copy& x, const Row& moved, double t, const Row& row, double* w) {
  return axpy_dot(t, x.column(moved.i), w, x.column(row.i), x.rows);
}
void row_prefetch(const Copy& x, const Row& row) { BANDITCD_PREFETCH(x.place(row.i)); }
Row locate(const Copy& x, std::size_t i, std::uint64_t) {
  return {i, 0, static_cast<std::int64_t>(x.rows)};
}

template <class T>
class DenseRows final : public RowsOf<DenseColumns<T>> {
 public:
  DenseRows(const DenseColumns<T>& x, const double* y, double constant, std::size_t pool_bytes)
      : RowsOf<DenseColumns<T>>(x, y, constant, pool_bytes) {}

  bool sparse() const override { return false; }
  std::uint64_t where(std::size_t i) const override {
    return Where::pack(0, 0, this->label(i) > 0.0);
  }
  void squares(double* out) override {
    if constexpr (std::is_same_v<T, double>) {
      // Wide data are left to descent: what it reads is written while the data come by.
      if (x_.rows > x_.cols && may_copy()) {
        allocate_copy();
        for (std::size_t i = 0; i < x_.cols; ++i) out[i] = copy().convert(i);
        has_copy_ = true;
      } else {
        for (std::size_t i = 0; i < x_.cols; ++i) out[i] = x_.dot(i, x_.column(i));
      }
      this->count_entries(this->entries());
    } else {
      RowsOf<DenseColumns<T>>::squares(out);
    }
  }
  double outer_cost() const override {
    const auto p = static_cast<double>(x_.rows);
    return kPackedProduct * 0.5 * static_cast<double>(x_.cols) * p * p;
  }
  void margins(const Index* which, std::size_t count, const double* w, double* out,
               Watch& watch) override {
    if constexpr (std::is_same_v<T, double>)
      if (copying_) return margins_of<float>(copy(), {which, count}, w, out, watch);
    margins_of<T>(x_, {which, count}, w, out, watch);
  }
  // Four rows at a time: w and v are read a quarter as often, and v finds the rows in the caches.
  void margins_and_sum(const Index* which, const double* coef, std::size_t count, const double* w,
                       double* out, double* v) override {
    const double last = this->bias_of(w);
    double sum = 0.0;
    std::size_t t = 0;
    for (; t + 4 <= count; t += 4) {
      const T* rows[4];
      double step[4];
      for (std::size_t k = 0; k < 4; ++k) {
        rows[k] = x_.column(static_cast<std::size_t>(which[t + k]));
        step[k] = coef[t + k] * this->label(static_cast<std::size_t>(which[t + k]));
        sum += step[k];
      }
      dot4(rows, w, x_.rows, out + t);
      if (step[0] != 0.0 || step[1] != 0.0 || step[2] != 0.0 || step[3] != 0.0)
        axpy4(step, rows, v, x_.rows);
      for (std::size_t k = t; k < t + 4; ++k)
        out[k] = this->label(static_cast<std::size_t>(which[k])) * (out[k] + last);
    }
    this->count_entries(static_cast<double>(t * x_.rows));
    if (this->constant_ != 0.0) v[x_.rows] += this->constant_ * sum;
    RowsOf<DenseColumns<T>>::margins_and_sum(which + t, coef + t, count - t, w, out + t, v);
  }
  // The same, of the rows that add something.
  void accumulate(const Index* which, const double* coef, std::size_t count, double* v) override {
    const T* rows[4];
    double step[4], sum = 0.0;
    std::size_t some = 0, read = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const auto i = static_cast<std::size_t>(which[t]);
      step[some] = coef[t] * this->label(i);
      if (step[some] == 0.0) continue;
      rows[some] = x_.column(i);
      sum += step[some++];
      ++read;
      if (some < 4) continue;
      axpy4(step, rows, v, x_.rows);
      some = 0;
    }
    for (std::size_t k = 0; k < some; ++k) axpy(step[k], rows[k], v, x_.rows);
    if (this->constant_ != 0.0) v[x_.rows] += this->constant_ * sum;
    this->count_entries(static_cast<double>(read * x_.rows));
  }
  void sweep(Sweep& s) override {
    if constexpr (std::is_same_v<T, double>)
      if (copying_) return this->sweep_over(copy(), s);
    this->sweep_over(x_, s);
  }
  bool read_copy(bool wanted) override {
    copying_ = wanted && std::is_same_v<T, double> && may_copy();
    if (copying_ && copy_done_.empty()) allocate_copy();
    return copying_;
  }
  bool has_copy() const override { return has_copy_; }
  void add_outer(const Outer& rows, const Triangle& target, Watch& watch) override {
    const std::size_t size = this->dim();
    AlignedBuffer packed;
    packed.reserve(size * kRowsAtOnce);
    for (std::size_t first = 0; first < rows.count; first += kRowsAtOnce) {
      const std::size_t some = std::min(kRowsAtOnce, rows.count - first);
      pack({rows.which + first, some}, rows.weight + first, packed.data());
      const PackedRows block{packed.data(), kRowsAtOnce, size};
      add_products(block, block, padded(some), rows.sign, target.h, target.stride, Part::kDiagonal);
      watch.check();
    }
    this->count_entries(static_cast<double>(rows.count * x_.rows));
  }
  void gram(const Triangle& target, Watch& watch) override {
    AlignedBuffer part;
    part.reserve(x_.cols * kRowsAtOnce);
    for (std::size_t i = 0; i < x_.cols; ++i)
      std::fill_n(target.h + i * target.stride, x_.cols, 0.0);
    for (std::size_t first = 0; first < x_.rows; first += kRowsAtOnce) {
      const std::size_t size = std::min(kRowsAtOnce, x_.rows - first);
      const std::size_t lane = padded(size);
      for (std::size_t i = 0; i < x_.cols; ++i) {
        double* to = part.data() + i * kRowsAtOnce;
        std::copy_n(x_.column(i) + first, size, to);
        std::fill(to + size, to + lane, 0.0);
      }
      const PackedRows block{part.data(), kRowsAtOnce, x_.cols};
      add_products(block, block, lane, 1.0, target.h, target.stride, Part::kDiagonal);
      watch.check();
    }
    this->count_entries(this->entries());
  }

 private:
  struct Which {
    const Index* rows;
    std::size_t count;
  };
  // Data of some size, and a copy within the memory allowed.
  bool may_copy() const {
    const std::size_t floats = x_.cols * Copy::stride(x_.rows);
    return this->entries() >= kCopyEntries && floats <= this->pool_bytes / sizeof(float);
  }
  Copy copy() { return {x_, copy_.data(), copy_done_.data(), x_.rows}; }
  void allocate_copy() {
    copy_.allocate(x_.cols * Copy::stride(x_.rows));
    copy_done_.assign(x_.cols, 0);
  }
  template <class Value, class Read>
  void margins_of(const Read& x, const Which& which, const double* w, double* out, Watch& watch) {
    const double last = this->bias_of(w);
    std::size_t t = 0;
    for (; t + 4 <= which.count; t += 4) {
      const Value* rows[4];
      for (int k = 0; k < 4; ++k) rows[k] = x.column(static_cast<std::size_t>(which.rows[t + k]));
      dot4(rows, w, x_.rows, out + t);
      if (t % kRowsAtOnce == kRowsAtOnce - 4) watch.check();
    }
    for (; t < which.count; ++t)
      out[t] = dot(x.column(static_cast<std::size_t>(which.rows[t])), w, x_.rows);
    for (t = 0; t < which.count; ++t)
      out[t] = this->label(static_cast<std::size_t>(which.rows[t])) * (out[t] + last);
    this->count_entries(static_cast<double>(which.count * x_.rows));
  }

  using RowsOf<DenseColumns<T>>::x_;
  static constexpr std::size_t kRowsAtOnce = 384;

  // Columns of sqrt(weight) z, contiguous along the rows and padded with zeros.
  void pack(const Which& which, const double* weight, double* out) const {
    constexpr std::size_t lane = kLane;
    const std::size_t rows = which.count;
    for (std::size_t r = 0; r < rows; r += lane) {
      const T* from[lane];
      double root[lane];
      for (std::size_t k = 0; k < lane; ++k) {
        const std::size_t t = std::min(r + k, rows - 1);
        from[k] = x_.column(static_cast<std::size_t>(which.rows[t]));
        root[k] = r + k < rows ? std::sqrt(weight[t]) : 0.0;
      }
      for (std::size_t j = 0; j < x_.rows; ++j)
        for (std::size_t k = 0; k < lane; ++k)
          out[j * kRowsAtOnce + r + k] = root[k] * static_cast<double>(from[k][j]);
      if (this->constant_ != 0.0)
        for (std::size_t k = 0; k < lane; ++k)
          out[x_.rows * kRowsAtOnce + r + k] = root[k] * this->constant_;
    }
  }

  CopyBuffer copy_;
  std::vector<char> copy_done_;
  bool copying_ = false, has_copy_ = false;
};

}  // namespace

template <class T>
std::unique_ptr<StoredRows> store_rows(const DenseColumns<T>& x, const double* y, double constant,
                                       std::size_t pool_bytes) {
  return std::make_unique<DenseRows<T>>(x, y, constant, pool_bytes);
}
template std::unique_ptr<StoredRows> store_rows(const DenseColumns<double>&, const double*, double,
                                                std::size_t);
template std::unique_ptr<StoredRows> store_rows(const DenseColumns<float>&, const double*, double,
                                                std::size_t);

}  // namespace banditcd::svm
