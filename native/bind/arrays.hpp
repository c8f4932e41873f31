// Array types and conversions that the bindings share.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace banditcd {

using Doubles =
    nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Ints = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig,
                               nanobind::device::cpu>;
using Longs = nanobind::ndarray<const std::int64_t, nanobind::ndim<1>, nanobind::c_contig,
                                nanobind::device::cpu>;
template <class T>
using Vector =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using OptionalVector = std::optional<Vector<double>>;
using Output =
    nanobind::ndarray<double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using NumpyVector = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<1>>;

inline void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// The data of an optional array whose size is checked; null where there is none.
inline const double* optional_data(const OptionalVector& v, std::size_t size, const char* message) {
  require(!v || v->shape(0) == size, message);
  return v ? v->data() : nullptr;
}

// The element of a list whose name, by regime_name(), is the one given.
template <class Regimes>
auto regime_named(const Regimes& regimes, const std::string& name) {
  for (const auto regime : regimes)
    if (name == regime_name(regime)) return regime;
  throw std::invalid_argument("there is no regime " + name);
}

inline void fill(const Output& out, const std::vector<double>& values) {
  std::copy(values.begin(), values.end(), out.data());
}

// A NumPy array that owns the buffer.
inline NumpyVector to_numpy(std::unique_ptr<double[]> values, std::size_t n) {
  double* data = values.release();
  nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return NumpyVector(data, {n}, owner);
}
inline NumpyVector to_numpy(const std::vector<double>& values) {
  auto copy = std::make_unique<double[]>(values.size());
  std::copy(values.begin(), values.end(), copy.get());
  return to_numpy(std::move(copy), values.size());
}

}  // namespace banditcd
