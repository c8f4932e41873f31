// Bindings of the vector kernels: for tests, and to choose the instruction set.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include "bind/module.hpp"
#include "kernels/vector.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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
      [](Vector a, Vector b) {
        if (a.shape(0) != b.shape(0)) throw std::invalid_argument("dot: lengths differ");
        return banditcd::dot(a.data(), b.data(), a.shape(0));
      },
      "a"_a, "b"_a, "Inner product with the kernels in use.");
}
