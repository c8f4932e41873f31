#include "kernels/scatter.hpp"

namespace banditcd {
namespace {

// One row of H: the products of one entry with the entries before it and with itself. Targets are
// distinct, so the four updates are independent of each other.
template <class T>
void add_entry(double factor, const T* value, const std::int32_t* column, std::size_t count,
               double* h) {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const double t0 = h[column[k]] + factor * static_cast<double>(value[k]);
    const double t1 = h[column[k + 1]] + factor * static_cast<double>(value[k + 1]);
    const double t2 = h[column[k + 2]] + factor * static_cast<double>(value[k + 2]);
    const double t3 = h[column[k + 3]] + factor * static_cast<double>(value[k + 3]);
    h[column[k]] = t0;
    h[column[k + 1]] = t1;
    h[column[k + 2]] = t2;
    h[column[k + 3]] = t3;
  }
  for (; k < count; ++k) h[column[k]] += factor * static_cast<double>(value[k]);
}

}  // namespace

template <class T>
void scatter_rows(const CscColumns<T>& X_rows, const std::int32_t* which, const double* weight,
                  std::size_t count, const ScatterTarget& target) {
  for (std::size_t t = 0; t < count; ++t) {
    const auto i = static_cast<std::size_t>(which[t]);
    const T* value = X_rows.value + X_rows.start[i];
    const std::int32_t* column = X_rows.row + X_rows.start[i];
    const std::size_t entries = X_rows.entries(i);
    for (std::size_t k = 0; k < entries; ++k)
      add_entry(weight[t] * static_cast<double>(value[k]), value, column, k + 1,
                target.h + static_cast<std::size_t>(column[k]) * target.stride);
    if (target.border != 0.0) {
      double* last = target.h + X_rows.rows * target.stride;
      add_entry(weight[t] * target.border, value, column, entries, last);
      last[X_rows.rows] += weight[t] * target.border * target.border;
    }
  }
}

template <class T>
double scatter_products(const CscColumns<T>& X_rows, const std::int32_t* which, std::size_t count) {
  double products = 0.0;
  for (std::size_t t = 0; t < count; ++t) {
    const auto entries = static_cast<double>(X_rows.entries(static_cast<std::size_t>(which[t])));
    products += 0.5 * entries * (entries + 1.0);
  }
  return products;
}

template void scatter_rows(const CscColumns<double>&, const std::int32_t*, const double*,
                           std::size_t, const ScatterTarget&);
template void scatter_rows(const CscColumns<float>&, const std::int32_t*, const double*,
                           std::size_t, const ScatterTarget&);
template double scatter_products(const CscColumns<double>&, const std::int32_t*, std::size_t);
template double scatter_products(const CscColumns<float>&, const std::int32_t*, std::size_t);

}  // namespace banditcd
