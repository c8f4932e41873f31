#include "kernels/scatter.hpp"
#include "svm/rough_outer.hpp"
#include "svm/rows_of.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {
namespace {

template <class T>
void scatter(const SparseStorage<T>& x, const Index* which, const double* weight, std::size_t count,
             const ScatterTarget& target) {
  scatter_rows(static_cast<const CscColumns<T>&>(x), which, weight, count, target);
}

// All entries are alike: one product of them per row, added wherever two of its columns meet.
void scatter(const IndicatorStorage& x, const Index* which, const double* weight, std::size_t count,
             const ScatterTarget& target) {
  for (std::size_t t = 0; t < count; ++t) {
    const auto i = static_cast<std::size_t>(which[t]);
    const IndicatorStorage::Place* place = x.row.data() + x.start[i];
    const std::size_t entries = x.entries(i);
    const double product = weight[t] * x.value * x.value;
    for (std::size_t k = 0; k < entries; ++k) {
      double* h = target.h + static_cast<std::size_t>(place[k]) * target.stride;
      for (std::size_t l = 0; l <= k; ++l) h[place[l]] += product;
    }
    if (target.border != 0.0) {
      double* last = target.h + x.rows * target.stride;
      for (std::size_t k = 0; k < entries; ++k)
        last[place[k]] += weight[t] * target.border * x.value;
      last[x.rows] += weight[t] * target.border * target.border;
    }
  }
}

template <class Storage>
class CompressedRows final : public RowsOf<Storage> {
 public:
  CompressedRows(Storage x, const double* y, double constant, std::size_t pool_bytes)
      : RowsOf<Storage>(std::move(x), y, constant, pool_bytes) {}

  bool sparse() const override { return true; }
  std::uint64_t where(std::size_t i) const override {
    return Where::pack(static_cast<std::uint64_t>(x_.start[i]), x_.entries(i),
                       this->label(i) > 0.0);
  }
  double outer_cost() const override {
    double products = 0.0;
    for (std::size_t i = 0; i < x_.cols; ++i) {
      const auto k = static_cast<double>(x_.entries(i));
      products += 0.5 * k * (k + 1.0);
    }
    return kScatterProduct * products;
  }
  void add_outer(const Outer& rows, const Triangle& target, Watch& watch) override {
    const ScatterTarget into{target.h, target.stride, constant_};
    std::vector<double> weight(std::min(kRowsAtOnce, rows.count));
    for (std::size_t first = 0; first < rows.count; first += kRowsAtOnce) {
      const std::size_t size = std::min(kRowsAtOnce, rows.count - first);
      for (std::size_t t = 0; t < size; ++t) weight[t] = rows.sign * rows.weight[first + t];
      scatter(x_, rows.which + first, weight.data(), size, into);
      watch.check();
    }
    count_entries_of(rows);
  }
  double rough_outer_cost() const override {
    const auto p = static_cast<double>(this->dim()), n = static_cast<double>(x_.cols);
    return std::min(outer_cost(), kRoughProduct * 0.5 * n * p * p + kRoughEntry * this->entries());
  }
  bool add_outer_roughly(const Outer& rows, const Triangle& target, Watch& watch) override {
    if (!(rough_outer_cost() < outer_cost())) return false;
    RoughOuter().add(x_, constant_, rows, target, watch);
    count_entries_of(rows);
    return true;
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
    this->count_entries(0.5 * static_cast<double>(x_.cols) * this->entries());
  }

 private:
  using RowsOf<Storage>::x_;
  using RowsOf<Storage>::constant_;
  static constexpr std::size_t kRowsAtOnce = 1024;

  void count_entries_of(const Outer& rows) {
    std::size_t read = 0;
    for (std::size_t t = 0; t < rows.count; ++t)
      read += x_.entries(static_cast<std::size_t>(rows.which[t]));
    this->count_entries(static_cast<double>(read));
  }
};

template <class T>
bool all_equal(const T* value, std::size_t count) {
  if (count == 0) return false;
  constexpr std::size_t block = 256;  // data of other kinds differ within the first
  for (std::size_t first = 0; first < count; first += block) {
    bool same = true;
    for (std::size_t k = first; k < std::min(first + block, count); ++k)
      same &= value[k] == value[0];
    if (!same) return false;
  }
  return true;
}

}  // namespace

template <class T>
std::unique_ptr<StoredRows> store_rows(const CscColumns<T>& x, const double* y, double constant,
                                       std::size_t pool_bytes) {
  const std::size_t entries = x.entries();
  const bool fits = entries * sizeof(IndicatorStorage::Place) <= pool_bytes;
  if (fits && x.rows <= IndicatorStorage::kMostColumns && all_equal(x.value, entries)) {
    IndicatorStorage places{
        {x.row, x.row + entries}, x.start, static_cast<double>(x.value[0]), x.rows, x.cols};
    return std::make_unique<CompressedRows<IndicatorStorage>>(std::move(places), y, constant,
                                                              pool_bytes);
  }
  return std::make_unique<CompressedRows<SparseStorage<T>>>(SparseStorage<T>{x}, y, constant,
                                                            pool_bytes);
}
template std::unique_ptr<StoredRows> store_rows(const CscColumns<double>&, const double*, double,
                                                std::size_t);
template std::unique_ptr<StoredRows> store_rows(const CscColumns<float>&, const double*, double,
                                                std::size_t);

}  // namespace banditcd::svm
