// Bindings of the vector kernels: for tests, and to choose the instruction set.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include "bind/arrays.hpp"
#include "bind/gil.hpp"
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

template <class T>
void checked_turn(const Rows<T>& from,
                  const nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>& to) {
  require_equal(from.shape(0), to.shape(1));
  require_equal(from.shape(1), to.shape(0));
  const bind::GilReleased released;
  turn(from.data(), from.shape(1), from.shape(0), to.data());
}

template <class T>
struct FourRows {
  FourRows(const Rows<T>& rows, std::size_t length) {
    require_equal(rows.shape(0), 4);
    require_equal(rows.shape(1), length);
    for (std::size_t k = 0; k < 4; ++k) row[k] = rows.data() + k * length;
  }
  const T* row[4];
};

template <class T>
double checked_dot(const Vector<T>& a, const Doubles& b) {
  require_equal(a.shape(0), b.shape(0));
  return dot(a.data(), b.data(), a.shape(0));
}

template <class T>
void checked_axpy(double t, const Vector<T>& a, const Target& y) {
  require_equal(a.shape(0), y.shape(0));
  axpy(t, a.data(), y.data(), a.shape(0));
}

template <class T>
void checked_axpy4(const Doubles& t, const Rows<T>& rows, const Target& y) {
  require_equal(t.shape(0), 4);
  const FourRows<T> four(rows, y.shape(0));
  axpy4(t.data(), four.row, y.data(), y.shape(0));
}

template <class T>
auto checked_dot4(const Rows<T>& rows, const Doubles& b) {
  const FourRows<T> four(rows, b.shape(0));
  std::vector<double> out(4);
  dot4(four.row, b.data(), b.shape(0), out.data());
  return to_numpy(out);
}

template <class T>
auto checked_moments4(const Rows<T>& rows, const Doubles& b) {
  const FourRows<T> four(rows, b.shape(0));
  std::vector<double> out(12);
  moments4(four.row, b.data(), b.shape(0), out.data());
  return to_numpy(out);
}

template <class T>
double checked_curvature(const Vector<T>& a, const Doubles& h) {
  require_equal(a.shape(0), h.shape(0));
  return curvature(a.data(), h.data(), h.shape(0));
}

template <class T>
void checked_curved_axpy(double t, const Vector<T>& a, const Doubles& h, const Output& y,
                         const Output& r) {
  for (const std::size_t size : {a.shape(0), h.shape(0), r.shape(0)})
    require_equal(size, y.shape(0));
  curved_axpy(t, a.data(), h.data(), y.data(), r.data(), y.shape(0));
}

// One binding per storage type; nanobind picks by dtype (noconvert: never a hidden copy).
template <class T>
void bind_storage(nb::module_& m) {
  const auto exact = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("dot", &checked_dot<T>, exact("a"), "b"_a, "Inner product with the kernels in use.");
  m.def("axpy", &checked_axpy<T>, "t"_a, exact("a"), exact("y"), "y += t a, in place.");
  m.def("axpy4", &checked_axpy4<T>, "t"_a, exact("rows"), exact("y"), "y += rows^T t, in place.");
  m.def("dot4", &checked_dot4<T>, exact("rows"), "b"_a, "Four rows against one vector.");
  m.def("moments4", &checked_moments4<T>, exact("rows"), "b"_a,
        "Four rows against one vector, then their squares and sums.");
  m.def("curvature", &checked_curvature<T>, exact("a"), "h"_a, "The sum of h a^2.");
  m.def("curved_axpy", &checked_curved_axpy<T>, "t"_a, exact("a"), "h"_a, exact("y"), exact("r"),
        "y += t a and r -= t h a, in place.");
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
  m.def("dot", &banditcd::checked_dot<double>, "a"_a, "b"_a,
        "Inner product with the kernels in use.");
  const char* turn = "Write the transposed of a matrix.";
  m.def("turn", &banditcd::checked_turn<double>, "matrix"_a.noconvert(), "out"_a.noconvert(), turn);
  m.def("turn", &banditcd::checked_turn<float>, "matrix"_a.noconvert(), "out"_a.noconvert(), turn);
}

void bind_kernel_parts(nb::module_& m) {
  banditcd::bind_storage<double>(m);
  banditcd::bind_storage<float>(m);
}
