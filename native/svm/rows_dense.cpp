#include <type_traits>

#include "record/memory.hpp"
#include "record/tiles.hpp"
#include "svm/cost_model.hpp"
#include "svm/rows_of.hpp"

namespace banditcd::svm {
namespace {

using record::AlignedBuffer;

template <class T>
class DenseRows final : public RowsOf<DenseColumns<T>> {
 public:
  DenseRows(const DenseColumns<T>& x, const double* y, double constant)
      : RowsOf<DenseColumns<T>>(x, y, constant) {}

  bool sparse() const override { return false; }
  std::uint64_t where(std::size_t i) const override { return Where::pack(0, 0, this->y_[i] > 0.0); }
  void squares(double* out) override {
    if constexpr (std::is_same_v<T, double>) {
      for (std::size_t i = 0; i < x_.cols; ++i) out[i] = x_.dot(i, x_.column(i));
      entries_read_ += this->entries();
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
    const double last = this->bias_of(w);
    std::size_t t = 0;
    for (; t + 4 <= count; t += 4) {
      const T* rows[4];
      for (int k = 0; k < 4; ++k) rows[k] = x_.column(static_cast<std::size_t>(which[t + k]));
      dot4(rows, w, x_.rows, out + t);
      if (t % kRowsAtOnce == kRowsAtOnce - 4) watch.check();
    }
    for (; t < count; ++t) out[t] = x_.dot(static_cast<std::size_t>(which[t]), w);
    for (t = 0; t < count; ++t) out[t] = this->y_[which[t]] * (out[t] + last);
    entries_read_ += static_cast<double>(count * x_.rows);
  }
  void add_outer(const Index* which, const double* weight, std::size_t count, double sign,
                 const Triangle& target, Watch& watch) override {
    const std::size_t size = this->dim();
    packed_.reserve(size * kRowsAtOnce);
    for (std::size_t first = 0; first < count; first += kRowsAtOnce) {
      const std::size_t rows = std::min(kRowsAtOnce, count - first);
      pack(which + first, weight + first, rows);
      const record::Rows block{packed_.data(), kRowsAtOnce, size};
      record::add_products(block, block, record::padded(rows), sign, target.h, target.stride,
                           record::Part::kDiagonal);
      watch.check();
    }
    entries_read_ += static_cast<double>(count * x_.rows);
  }
  void gram(const Triangle& target, Watch& watch) override {
    AlignedBuffer part;
    part.reserve(x_.cols * kRowsAtOnce);
    for (std::size_t i = 0; i < x_.cols; ++i)
      std::fill_n(target.h + i * target.stride, x_.cols, 0.0);
    for (std::size_t first = 0; first < x_.rows; first += kRowsAtOnce) {
      const std::size_t size = std::min(kRowsAtOnce, x_.rows - first);
      const std::size_t lane = record::padded(size);
      for (std::size_t i = 0; i < x_.cols; ++i) {
        double* to = part.data() + i * kRowsAtOnce;
        std::copy_n(x_.column(i) + first, size, to);
        std::fill(to + size, to + lane, 0.0);
      }
      const record::Rows block{part.data(), kRowsAtOnce, x_.cols};
      record::add_products(block, block, lane, 1.0, target.h, target.stride,
                           record::Part::kDiagonal);
      watch.check();
    }
    entries_read_ += this->entries();
  }

 private:
  using RowsOf<DenseColumns<T>>::x_;
  using RowsOf<DenseColumns<T>>::entries_read_;
  static constexpr std::size_t kRowsAtOnce = 384;

  // Columns of sqrt(weight) z, contiguous along the rows and padded with zeros.
  void pack(const Index* which, const double* weight, std::size_t rows) {
    constexpr std::size_t lane = record::kLane;
    double* out = packed_.data();
    for (std::size_t r = 0; r < rows; r += lane) {
      const T* from[lane];
      double root[lane];
      for (std::size_t k = 0; k < lane; ++k) {
        const std::size_t t = std::min(r + k, rows - 1);
        from[k] = x_.column(static_cast<std::size_t>(which[t]));
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

  AlignedBuffer packed_;
};

}  // namespace

template <class T>
std::unique_ptr<Rows> make_rows(const DenseColumns<T>& x, const double* y, double constant) {
  return std::make_unique<DenseRows<T>>(x, y, constant);
}
template std::unique_ptr<Rows> make_rows(const DenseColumns<double>&, const double*, double);
template std::unique_ptr<Rows> make_rows(const DenseColumns<float>&, const double*, double);

}  // namespace banditcd::svm
