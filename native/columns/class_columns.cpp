#include "columns/class_columns.hpp"

#include <algorithm>
#include <vector>

#include "kernels/memory.hpp"

namespace banditcd {
namespace {

constexpr std::size_t kCheckEntries = 1 << 19;  // products between two looks at the watch
constexpr std::size_t kBlockRows = 256;         // rows of a dense block, by
constexpr std::size_t kBlockColumns = 256;      // at most as many columns

// What dense and sparse columns share.
template <class Storage>
class Stored : public ClassColumns {
 public:
  explicit Stored(const Storage& x) : ClassColumns(x.rows, x.cols), x_(x) {}
  std::size_t entries(std::size_t j) const override { return x_.entries(j); }

  double curvature(std::size_t j, const double* h) const override { return x_.curvature(j, h); }
  double descend(const ClassCoordinate& at, double x, const ClassLane& lane) const override {
    const auto j = static_cast<std::size_t>(at.column);
    if (!(at.h > 0.0)) return 0.0;
    const double pull = x_.dot(j, lane.pull) + at.h * x + at.damping * at.from;
    const double move = at.g.minimizer(pull, at.h + at.damping) - x;
    if (move != 0.0) x_.curved_axpy(j, move, lane.h, lane.change, lane.pull);
    return move;
  }

 protected:
  Storage x_;
};

template <class T>
class Dense final : public Stored<DenseColumns<T>> {
 public:
  using Base = Stored<DenseColumns<T>>;
  using Base::Base;
  bool sparse() const override { return false; }

  void correlate(const Index* column, std::size_t count, const double* v, std::size_t width,
                 double* u, Watch& watch) const override {
    std::fill(u, u + count * width, 0.0);
    blocks(column, count, [&](const StridedBlock<T>& rows, std::size_t first, std::size_t t) {
      const StridedBlock<T> columns = {rows.data, rows.inner, rows.outer, rows.inners, rows.outers};
      add_class_products(columns, v + first * width, width, u + t * width);
      watch.check();
    });
  }
  void combine(const Index* column, std::size_t count, const double* w, std::size_t width,
               double* z, Watch& watch) const override {
    blocks(column, count, [&](const StridedBlock<T>& rows, std::size_t first, std::size_t t) {
      add_class_products(rows, w + t * width, width, z + first * width);
      watch.check();
    });
  }
  void pack(std::size_t j, std::size_t first, std::size_t count, const double* factor,
            double* out) const override {
    const T* x = this->x_.column(j) + first;
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(x[i]) * factor[i];
  }
  std::unique_ptr<ClassColumns> part(std::size_t step, Watch& watch) const override {
    const std::size_t rows = (this->rows() + step - 1) / step;
    std::vector<T> copy(rows * this->cols());
    for (std::size_t j = 0; j < this->cols(); ++j) {
      for (std::size_t i = 0; i < rows; ++i) copy[j * rows + i] = this->x_.column(j)[i * step];
      watch.check();
    }
    const DenseColumns<T> columns = {copy.data(), rows, this->cols(), rows};
    auto out = std::make_unique<Dense<T>>(columns);
    out->owned_ = std::move(copy);
    return out;
  }

 private:
  // visit(block, first row, first column) for blocks of copied columns, which follow each other.
  template <class Visit>
  void blocks(const Index* column, std::size_t count, Visit&& visit) const {
    std::vector<T, AlignedAllocator<T>> copy(kBlockRows * std::min(kBlockColumns, count));
    for (std::size_t first = 0; first < this->rows(); first += kBlockRows) {
      const std::size_t rows = std::min(kBlockRows, this->rows() - first);
      for (std::size_t t = 0; t < count; t += kBlockColumns) {
        const std::size_t columns = std::min(kBlockColumns, count - t);
        for (std::size_t k = 0; k < columns; ++k)
          std::copy_n(this->x_.column(static_cast<std::size_t>(column[t + k])) + first, rows,
                      copy.data() + k * kBlockRows);
        visit(StridedBlock<T>{copy.data(), 1, kBlockRows, rows, columns}, first, t);
      }
    }
  }

  std::vector<T> owned_;  // the data of a copy
};

template <class T>
class Sparse final : public Stored<CscColumns<T>> {
 public:
  using Base = Stored<CscColumns<T>>;
  using Base::Base;
  bool sparse() const override { return true; }

  void correlate(const Index* column, std::size_t count, const double* v, std::size_t width,
                 double* u, Watch& watch) const override {
    std::fill(u, u + count * width, 0.0);
    std::size_t work = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const SparseRow<T> entries = stored(static_cast<std::size_t>(column[t]));
      gather_classes(entries, v, width, u + t * width);
      if ((work += entries.count * width) > kCheckEntries) watch.check(), work = 0;
    }
  }
  void combine(const Index* column, std::size_t count, const double* w, std::size_t width,
               double* z, Watch& watch) const override {
    std::size_t work = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const SparseRow<T> entries = stored(static_cast<std::size_t>(column[t]));
      scatter_classes(entries, w + t * width, width, z);
      if ((work += entries.count * width) > kCheckEntries) watch.check(), work = 0;
    }
  }
  void pack(std::size_t j, std::size_t first, std::size_t count, const double* factor,
            double* out) const override {
    std::fill(out, out + count, 0.0);
    const SparseRow<T> entries = stored(j);
    const std::int32_t* end = entries.index + entries.count;
    const std::int32_t* at = std::lower_bound(entries.index, end, static_cast<std::int32_t>(first));
    for (; at != end && static_cast<std::size_t>(*at) < first + count; ++at) {
      const std::size_t i = static_cast<std::size_t>(*at) - first;
      out[i] = static_cast<double>(entries.value[at - entries.index]) * factor[i];
    }
  }
  std::unique_ptr<ClassColumns> part(std::size_t step, Watch& watch) const override {
    CompressedArrays<T> copy;
    for (std::size_t j = 0; j < this->cols(); ++j, copy.end_column()) {
      const SparseRow<T> entries = stored(j);
      for (std::size_t t = 0; t < entries.count; ++t) {
        if (static_cast<std::size_t>(entries.index[t]) % step != 0) continue;
        copy.value.push_back(entries.value[t]);
        copy.index.push_back(entries.index[t] / static_cast<std::int32_t>(step));
      }
      watch.check();
    }
    const std::size_t rows = (this->rows() + step - 1) / step;
    auto out = std::make_unique<Sparse<T>>(copy.columns(rows));
    out->owned_ = std::move(copy);  // its arrays stay where they are
    return out;
  }

 private:
  SparseRow<T> stored(std::size_t j) const {
    return {this->x_.value + this->x_.start[j], this->x_.row + this->x_.start[j],
            this->x_.entries(j)};
  }

  CompressedArrays<T> owned_;  // the arrays of a copy
};

}  // namespace

std::unique_ptr<ClassColumns> make_class_columns(const DenseColumns<double>& x) {
  return std::make_unique<Dense<double>>(x);
}
std::unique_ptr<ClassColumns> make_class_columns(const DenseColumns<float>& x) {
  return std::make_unique<Dense<float>>(x);
}
std::unique_ptr<ClassColumns> make_class_columns(const CscColumns<double>& x) {
  return std::make_unique<Sparse<double>>(x);
}
std::unique_ptr<ClassColumns> make_class_columns(const CscColumns<float>& x) {
  return std::make_unique<Sparse<float>>(x);
}

}  // namespace banditcd
