// Bindings of the vector kernels: for tests, and to choose the instruction set.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include "bind/arrays.hpp"
#include "bind/module.hpp"
#include "kernels/vector.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd {
namespace {

template <class T>
using Rows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Target = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void require_equal(std::size_t a, std::size_t b) {
  if (a != b) throw std::invalid_argument("the lengths differ");
}

// One binding per storage type; nanobind picks by dtype (noconvert: never a hidden copy).
template <class T>
void bind_storage(nb::module_& m) {
  m.def(
      "dot",
      [](Vector<T> a, Doubles b) {
        require_equal(a.shape(0), b.shape(0));
        return dot(a.data(), b.data(), a.shape(0));
      },
      nb::arg("a").noconvert(), "b"_a, "Inner product with the kernels in use.");
  m.def(
      "axpy",
      [](double t, Vector<T> a, Target y) {
        require_equal(a.shape(0), y.shape(0));
        axpy(t, a.data(), y.data(), a.shape(0));
      },
      "t"_a, nb::arg("a").noconvert(), nb::arg("y").noconvert(), "y += t a, in place.");
  m.def(
      "axpy4",
      [](Doubles t, Rows<T> rows, Target y) {
        require_equal(rows.shape(0), 4);
        require_equal(t.shape(0), 4);
        require_equal(rows.shape(1), y.shape(0));
        const std::size_t n = y.shape(0);
        const T* four[4] = {rows.data(), rows.data() + n, rows.data() + 2 * n, rows.data() + 3 * n};
        axpy4(t.data(), four, y.data(), n);
      },
      "t"_a, nb::arg("rows").noconvert(), nb::arg("y").noconvert(), "y += rows^T t, in place.");
  m.def(
      "dot4",
      [](Rows<T> rows, Doubles b) {
        require_equal(rows.shape(0), 4);
        require_equal(rows.shape(1), b.shape(0));
        const std::size_t n = b.shape(0);
        const T* four[4] = {rows.data(), rows.data() + n, rows.data() + 2 * n, rows.data() + 3 * n};
        std::vector<double> out(4);
        dot4(four, b.data(), n, out.data());
        return to_numpy(out);
      },
      nb::arg("rows").noconvert(), "b"_a, "Four rows against one vector.");
  m.def(
      "moments4",
      [](Rows<T> rows, Doubles b) {
        require_equal(rows.shape(0), 4);
        require_equal(rows.shape(1), b.shape(0));
        const std::size_t n = b.shape(0);
        const T* four[4] = {rows.data(), rows.data() + n, rows.data() + 2 * n, rows.data() + 3 * n};
        std::vector<double> out(12);
        moments4(four, b.data(), n, out.data());
        return to_numpy(out);
      },
      nb::arg("rows").noconvert(), "b"_a,
      "Four rows against one vector, then their squares and sums.");
}

}  // namespace
}  // namespace banditcd

void bind_kernels(nb::module_& m) {
  m.def(
      "kernel_name", [] { return std::string(banditcd::kernels().name); },
      "Name of the vector kernels in use: portable, avx2 or avx512.");
  m.def(
      "select_kernels",
      [](const std::string& name) {
        if (!banditcd::select_kernels(name.c_str()))
          throw std::invalid_argument("kernels '" + name +
                                      "' are unknown or not available on this CPU; "
                                      "use 'auto', 'portable', 'avx2' or 'avx512'");
      },
      "name"_a, "Choose the vector kernels for the whole process ('auto': the widest).");
  m.def(
      "dot",
      [](banditcd::Doubles a, banditcd::Doubles b) {
        banditcd::require_equal(a.shape(0), b.shape(0));
        return banditcd::dot(a.data(), b.data(), a.shape(0));
      },
      "a"_a, "b"_a, "Inner product with the kernels in use.");
}

void bind_kernel_parts(nb::module_& m) {
  banditcd::bind_storage<double>(m);
  banditcd::bind_storage<float>(m);
}
