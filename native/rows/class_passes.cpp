#include "rows/class_passes.hpp"

#include <algorithm>
#include <vector>

#include "kernels/class_tiles.hpp"
#include "kernels/memory.hpp"

namespace banditcd {
namespace {

constexpr std::size_t kBlockEntries = 16384;     // of a dense block of rows,
constexpr std::size_t kBlockRows = 32;           // but never fewer rows than this
constexpr std::size_t kSparseRows = 32;          // of a sparse block
constexpr std::size_t kCheckProducts = 1 << 19;  // between two looks at the watch

template <class T>
double squared(T value) {
  return static_cast<double>(value) * static_cast<double>(value);
}

template <class T>
class Dense final : public ClassPasses {
 public:
  explicit Dense(const DenseRows<T>& x)
      : x_(x), block_(std::max(kBlockRows, kBlockEntries / std::max<std::size_t>(x.cols, 1))) {}
  void times(const double* w, std::size_t width, double* out, Watch& watch) const override {
    std::fill(out, out + x_.rows * width, 0.0);
    for (std::size_t i = 0; i < x_.rows; i += block_) {
      add_class_products(along_rows(i), w, width, out + i * width);
      watch.check();
    }
  }
  void transposed_times(const double* v, std::size_t width, double* out,
                        Watch& watch) const override {
    std::fill(out, out + x_.cols * width, 0.0);
    for (std::size_t i = 0; i < x_.rows; i += block_) {
      add_class_products(along_columns(i), v + i * width, width, out);
      watch.check();
    }
  }
  void transposed_squares(const double* v, std::size_t width, double* out,
                          Watch& watch) const override {
    std::fill(out, out + x_.cols * width, 0.0);
    AlignedVector square(std::min(block_, x_.rows) * x_.cols);
    for (std::size_t i = 0; i < x_.rows; i += block_) {
      for (std::size_t t = 0; t < count(i); ++t)
        std::transform(x_.row(i + t), x_.row(i + t) + x_.cols, square.data() + t * x_.cols,
                       squared<T>);
      const StridedBlock<double> block = {square.data(), 1, x_.cols, x_.cols, count(i)};
      add_class_products(block, v + i * width, width, out);
      watch.check();
    }
  }
  void transform(const double* w, std::size_t width, const BlockMap& map, double* out,
                 Watch& watch) const override {
    std::fill(out, out + x_.cols * width, 0.0);
    AlignedVector values(block_ * width);
    for (std::size_t i = 0; i < x_.rows; i += block_) {
      std::fill(values.begin(), values.end(), 0.0);
      add_class_products(along_rows(i), w, width, values.data());
      map(i, count(i), values.data());
      add_class_products(along_columns(i), values.data(), width, out);
      watch.check();
    }
  }

 private:
  std::size_t count(std::size_t i) const { return std::min(block_, x_.rows - i); }
  StridedBlock<T> along_rows(std::size_t i) const {
    return {x_.row(i), x_.stride, 1, count(i), x_.cols};
  }
  StridedBlock<T> along_columns(std::size_t i) const {
    return {x_.row(i), 1, x_.stride, x_.cols, count(i)};
  }

  DenseRows<T> x_;
  std::size_t block_;
};

template <class T>
class Sparse final : public ClassPasses {
 public:
  explicit Sparse(const CsrRows<T>& x) : x_(x) {}
  void times(const double* w, std::size_t width, double* out, Watch& watch) const override {
    std::fill(out, out + x_.rows * width, 0.0);
    for (std::size_t i = 0; i < x_.rows; ++i) {
      gather_classes(row(i), w, width, out + i * width);
      if (due(i, 1, width)) watch.check();
    }
  }
  void transposed_times(const double* v, std::size_t width, double* out,
                        Watch& watch) const override {
    std::fill(out, out + x_.cols * width, 0.0);
    for (std::size_t i = 0; i < x_.rows; ++i) {
      scatter_classes(row(i), v + i * width, width, out);
      if (due(i, 1, width)) watch.check();
    }
  }
  void transposed_squares(const double* v, std::size_t width, double* out,
                          Watch& watch) const override {
    std::fill(out, out + x_.cols * width, 0.0);
    std::vector<double> square;
    for (std::size_t i = 0; i < x_.rows; ++i) {
      const SparseRow<T> own = row(i);
      square.resize(own.count);
      std::transform(own.value, own.value + own.count, square.begin(), squared<T>);
      scatter_classes(SparseRow<double>{square.data(), own.index, own.count}, v + i * width, width,
                      out);
      if (due(i, 1, width)) watch.check();
    }
  }
  void transform(const double* w, std::size_t width, const BlockMap& map, double* out,
                 Watch& watch) const override {
    std::fill(out, out + x_.cols * width, 0.0);
    AlignedVector values(kSparseRows * width);
    for (std::size_t i = 0; i < x_.rows; i += kSparseRows) {
      const std::size_t count = std::min(kSparseRows, x_.rows - i);
      std::fill(values.begin(), values.end(), 0.0);
      for (std::size_t t = 0; t < count; ++t)
        gather_classes(row(i + t), w, width, values.data() + t * width);
      map(i, count, values.data());
      for (std::size_t t = 0; t < count; ++t)
        scatter_classes(row(i + t), values.data() + t * width, width, out);
      if (due(i, count, width)) watch.check();
    }
  }

 private:
  SparseRow<T> row(std::size_t i) const {
    return {x_.value + x_.start[i], x_.column + x_.start[i],
            static_cast<std::size_t>(x_.start[i + 1] - x_.start[i])};
  }
  // Whether the products of the rows i .. i + count pass a multiple of kCheckProducts.
  bool due(std::size_t i, std::size_t count, std::size_t width) const {
    const auto period = static_cast<std::int64_t>(kCheckProducts / width + 1);
    return x_.start[i + count] / period != x_.start[i] / period;
  }

  CsrRows<T> x_;
};

}  // namespace

std::unique_ptr<ClassPasses> make_class_passes(const DenseRows<double>& rows) {
  return std::make_unique<Dense<double>>(rows);
}
std::unique_ptr<ClassPasses> make_class_passes(const DenseRows<float>& rows) {
  return std::make_unique<Dense<float>>(rows);
}
std::unique_ptr<ClassPasses> make_class_passes(const CsrRows<double>& rows) {
  return std::make_unique<Sparse<double>>(rows);
}
std::unique_ptr<ClassPasses> make_class_passes(const CsrRows<float>& rows) {
  return std::make_unique<Sparse<float>>(rows);
}

}  // namespace banditcd
