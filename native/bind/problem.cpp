// Bindings of a problem's arrays, and of the timing of its columns.
#include "bind/problem.hpp"

#include <nanobind/stl/string.h>

#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "engine/timing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::engine {
namespace {

void check_order(const BoundProblem& problem, const Ints& order) {
  for (std::size_t k = 0; k < order.shape(0); ++k)
    require(order.data()[k] >= 0 && static_cast<std::size_t>(order.data()[k]) < problem.arrays.cols,
            "a column index is out of range");
}

void bind_arrays(nb::module_& m) {
  nb::class_<BoundProblem>(m, "ProblemArrays", "Views of one problem's arrays; they stay alive.")
      .def(nb::init<>())
      .def("set_columns", &BoundProblem::set_columns, "columns"_a, "The matrix A.")
      .def(
          "set_signs",
          [](BoundProblem& p, Doubles signs) {
            p.arrays.signs = p.hold(signs, p.arrays.cols, "signs must have length d");
          },
          "signs"_a, "Multiply the columns by signs.")
      .def(
          "set_loss",
          [](BoundProblem& p, const std::string& name, Doubles weight, Doubles target) {
            p.arrays.loss = name;
            p.arrays.weight = p.hold(weight, p.arrays.rows, "weight must have length m");
            p.arrays.target = p.hold(target, p.arrays.rows, "target must have length m");
          },
          "name"_a, "weight"_a, "target"_a, "The smooth part and its per-row arrays.")
      .def(
          "set_penalty",
          [](BoundProblem& p, const std::string& name, Doubles p0, Doubles p1, Doubles p2,
             Doubles p3) {
            p.arrays.penalty = name;
            const std::size_t d = p.arrays.cols;
            const char* message = "penalty arrays must have length d";
            p.arrays.penalty_arrays = {{p.hold(p0, d, message), p.hold(p1, d, message),
                                        p.hold(p2, d, message), p.hold(p3, d, message)}};
          },
          "name"_a, "p0"_a, "p1"_a, "p2"_a, "p3"_a, "The separable part and its arrays.")
      .def(
          "set_curvature",
          [](BoundProblem& p, Doubles h) {
            p.arrays.h = p.hold(h, p.arrays.cols, "h must have length d");
          },
          "h"_a, "Curvature bound of every coordinate.");
}

void bind_timing(nb::module_& m) {
  m.def(
      "time_columns",
      [](const BoundProblem& problem, Ints order) {
        check_order(problem, order);
        return time_columns(problem.arrays.A, order.data(), order.shape(0));
      },
      "problem"_a, "order"_a, nb::call_guard<banditcd::bind::GilReleased>(),
      "Seconds of one dot and one axpy with every column of `order`.");
  m.def(
      "time_blas",
      [](const BoundProblem& problem, Ints order, std::uintptr_t ddot, std::uintptr_t daxpy) {
        check_order(problem, order);
        const auto* dense = std::get_if<DenseColumns<double>>(&problem.arrays.A);
        require(dense != nullptr, "time_blas needs a dense float64 matrix");
        return time_blas(*dense, order.data(), order.shape(0), reinterpret_cast<Ddot>(ddot),
                         reinterpret_cast<Daxpy>(daxpy));
      },
      "problem"_a, "order"_a, "ddot"_a, "daxpy"_a, nb::call_guard<banditcd::bind::GilReleased>(),
      "The same through the given BLAS functions (addresses).");
}

}  // namespace
}  // namespace banditcd::engine

void bind_problem(nb::module_& m) {
  banditcd::engine::bind_arrays(m);
  banditcd::engine::bind_timing(m);
}
