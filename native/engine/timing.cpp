#include "engine/timing.hpp"

#include <chrono>
#include <vector>

namespace banditcd::engine {
namespace {

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

template <class Columns>
double time_storage(const Columns& A, const std::int32_t* order, std::size_t n) {
  std::vector<double> w(A.rows, 1.0);
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(order[k]);
    A.axpy(i, 1e-12 * A.dot(i, w.data()), w.data());
  }
  return seconds_since(began);
}

}  // namespace

double time_columns(const AnyColumns& A, const std::int32_t* order, std::size_t n) {
  return std::visit([&](const auto& columns) { return time_storage(columns, order, n); }, A);
}

double time_blas(const DenseColumns<double>& A, const std::int32_t* order, std::size_t n, Ddot ddot,
                 Daxpy daxpy) {
  std::vector<double> w(A.rows, 1.0);
  const int rows = static_cast<int>(A.rows), one = 1;
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < n; ++k) {
    const double* a = A.column(static_cast<std::size_t>(order[k]));
    const double t = 1e-12 * ddot(&rows, a, &one, w.data(), &one);
    daxpy(&rows, &t, a, &one, w.data(), &one);
  }
  return seconds_since(began);
}

}  // namespace banditcd::engine
