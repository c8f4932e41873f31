#include "kernels/scatter.hpp"
#include "svm/cost_model.hpp"
#include "svm/rows_of.hpp"

namespace banditcd::svm {
namespace {

template <class T>
class SparseRows final : public RowsOf<CscColumns<T>> {
 public:
  SparseRows(const CscColumns<T>& x, const double* y, double constant)
      : RowsOf<CscColumns<T>>(x, y, constant) {}

  bool sparse() const override { return true; }
  double outer_cost() const override {
    double products = 0.0;
    for (std::size_t i = 0; i < x_.cols; ++i) {
      const auto k = static_cast<double>(x_.entries(i));
      products += 0.5 * k * (k + 1.0);
    }
    return kScatterProduct * products;
  }
  void add_outer(const Index* which, const double* weight, std::size_t count, double sign,
                 const Triangle& target, Watch& watch) override {
    const ScatterTarget scatter{target.h, target.stride, constant_};
    weight_.resize(kRowsAtOnce);
    for (std::size_t first = 0; first < count; first += kRowsAtOnce) {
      const std::size_t size = std::min(kRowsAtOnce, count - first);
      for (std::size_t t = 0; t < size; ++t) weight_[t] = sign * weight[first + t];
      scatter_rows(x_, which + first, weight_.data(), size, scatter);
      watch.check();
    }
    for (std::size_t t = 0; t < count; ++t)
      entries_read_ += static_cast<double>(x_.entries(static_cast<std::size_t>(which[t])));
  }
  // One row is spread out at a time; the rows before it are read against it.
  void gram(const Triangle& target, Watch& watch) override {
    std::vector<double> spread(x_.rows, 0.0);
    for (std::size_t s = 0; s < x_.cols; ++s) {
      x_.each(s, [&](std::size_t j, double a) { spread[j] = a; });
      for (std::size_t t = 0; t <= s; ++t)
        target.h[s * target.stride + t] = x_.dot(t, spread.data());
      x_.each(s, [&](std::size_t j, double) { spread[j] = 0.0; });
      watch.check();
    }
    entries_read_ += 0.5 * static_cast<double>(x_.cols) * this->entries();
  }

 private:
  using RowsOf<CscColumns<T>>::x_;
  using RowsOf<CscColumns<T>>::constant_;
  using RowsOf<CscColumns<T>>::entries_read_;
  static constexpr std::size_t kRowsAtOnce = 1024;

  void prefetch(std::size_t i) const override {
    constexpr std::size_t most = 64;  // entries asked for; the hardware follows from there
    const std::size_t count = std::min(x_.entries(i), most);
    const T* value = x_.value + x_.start[i];
    const Index* column = x_.row + x_.start[i];
    for (std::size_t k = 0; k < count; k += 64 / sizeof(T)) BANDITCD_PREFETCH(value + k);
    for (std::size_t k = 0; k < count; k += 16) BANDITCD_PREFETCH(column + k);
  }

  std::vector<double> weight_;
};

}  // namespace

template <class T>
std::unique_ptr<Rows> make_rows(const CscColumns<T>& x, const double* y, double constant) {
  return std::make_unique<SparseRows<T>>(x, y, constant);
}
template std::unique_ptr<Rows> make_rows(const CscColumns<double>&, const double*, double);
template std::unique_ptr<Rows> make_rows(const CscColumns<float>&, const double*, double);

}  // namespace banditcd::svm
