// Bindings of labels: the two classes of a classification, and the signs of one of its problems.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>

#include "bind/arrays.hpp"
#include "bind/module.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd {
namespace {

using Codes = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
template <class T>
using TwoClasses = std::optional<std::tuple<T, T, Codes>>;

template <class T>
bool is_whole(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isfinite(value) && value == std::trunc(value);
  else
    return true;
}

// The two whole numbers that y consists of, the smaller one first, and for every sample whether it
// is the second; None if y does not consist of two. Two passes, nothing is sorted.
template <class T>
TwoClasses<T> two_classes(const Vector<T>& y) {
  const std::size_t n = y.shape(0);
  const T* value = y.data();
  std::size_t other = 1;
  while (other < n && value[other] == value[0]) ++other;
  if (other >= n || !is_whole(value[0]) || !is_whole(value[other])) return std::nullopt;
  const T low = std::min(value[0], value[other]), high = std::max(value[0], value[other]);
  auto codes = std::make_unique<std::int64_t[]>(n);
  bool known = true;
  for (std::size_t i = 0; i < n; ++i) {
    codes[i] = value[i] == high;
    known &= (value[i] == high) | (value[i] == low);
  }
  if (!known) return std::nullopt;
  std::int64_t* data = codes.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
  return std::make_tuple(low, high, Codes(data, {n}, owner));
}

NumpyVector signs(const Longs& codes, std::int64_t positive) {
  const std::size_t n = codes.shape(0);
  auto out = std::make_unique<double[]>(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = codes.data()[i] == positive ? 1.0 : -1.0;
  return to_numpy(std::move(out), n);
}

template <class... T>
void bind_two_classes(nb::module_& m) {
  (m.def("two_classes", &two_classes<T>, nb::arg("y").noconvert(),
         "The two whole numbers in y and which samples have the second; None if not two."),
   ...);
}

}  // namespace
}  // namespace banditcd

void bind_labels(nb::module_& m) {
  using namespace banditcd;
  bind_two_classes<double, std::int64_t, bool, float, std::int32_t, std::int8_t, std::uint8_t>(m);
  m.def("signs", &signs, nb::arg("codes").noconvert(), "positive"_a,
        "+1 where a code is the positive one, else -1.");
}
