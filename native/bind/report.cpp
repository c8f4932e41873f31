// Bindings of what every solver shares: the arrays of a fit, its report, and the flag that stops
// the threads of a parallel section.
#include "solve/report.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bind/fit_arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/module.hpp"
#include "bind/reports.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;
using namespace banditcd::bind;

namespace {

void bind_data_and_flag(nb::module_& m) {
  nb::class_<StopFlag>(m, "StopFlag", "Stops the native work of all threads that look at it.")
      .def(nb::init<>())
      .def("set", &StopFlag::raise)
      .def_prop_ro("is_set", &StopFlag::raised);
  m.def(
      "watch_flag", [](std::shared_ptr<StopFlag> flag) { thread_flag() = std::move(flag); },
      "flag"_a.none(), "Let native work of this thread stop when the flag is raised.");
  nb::class_<FitArrays>(m, "FitData", "The arrays of a fit beside X, borrowed.")
      .def(
          "__init__",
          [](FitArrays* self, const OptionalVector& y, const OptionalVector& sample_weight,
             const OptionalVector& penalty_weights, const OptionalVector& lower,
             const OptionalVector& upper, bool intercept) {
            new (self) FitArrays{y, sample_weight, penalty_weights, lower, upper, intercept};
          },
          "y"_a.none(), "sample_weight"_a.none(), "penalty_weights"_a.none(), "lower"_a.none(),
          "upper"_a.none(), "intercept"_a);
}

}  // namespace

void bind_report(nb::module_& m) {
  bind_data_and_flag(m);
  nb::class_<Reports>(m, "Reports", "The reports of a path.")
      .def("__len__", &Reports::size)
      .def("__getitem__", &Reports::at, "k"_a)
      .def_prop_ro("all_converged", &Reports::all_converged)
      .def("column", &Reports::column, "name"_a, "One number of every report.");
  nb::class_<Report>(m, "Report", "Why a solve stopped, what is proved, and what it cost; sums.")
      .def_prop_ro("status", [](const Report& r) { return status_name(r.status); })
      .def_ro("regime", &Report::regime)
      .def_prop_ro("primal", [](const Report& r) { return r.certificate.primal; })
      .def_prop_ro("gap", [](const Report& r) { return r.certificate.gap; })
      .def_ro("target", &Report::target)
      .def_ro("intercept", &Report::intercept)
      .def_ro("seconds", &Report::seconds)
      .def_ro("passes", &Report::passes)
      .def_ro("work", &Report::work)
      .def_ro("iterations", &Report::iterations)
      .def_ro("pool_size", &Report::pool_size)
      .def_ro("support", &Report::support)
      .def_ro("epochs", &Report::epochs)
      .def_ro("newtons", &Report::newtons)
      .def_ro("rough", &Report::rough)
      .def_prop_ro("phases", [](const Report& r) {
        return std::make_tuple(r.phases.pass, r.phases.gram, r.phases.pool, r.phases.residual);
      });
}
