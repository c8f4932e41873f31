// Bindings of the strategies as arms.
#include "solve/arms.hpp"

#include "bind/module.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void bind_arms(nb::module_& m) {
  using banditcd::Arms;
  nb::enum_<Arms::Kind>(m, "ArmKind")
      .value("known", Arms::Kind::kKnown)
      .value("steady", Arms::Kind::kSteady)
      .value("quickening", Arms::Kind::kQuickening);
  nb::class_<Arms>(m, "Arms", "Which of several methods goes on, by the gap per priced work.")
      .def(nb::init<double>(), "target"_a)
      .def("add", &Arms::add, "expected"_a, "kind"_a)
      .def("begin", &Arms::begin)
      .def_prop_ro("current", &Arms::current)
      .def("note", &Arms::note, "work"_a, "gap"_a)
      .def_prop_ro("overtaken", &Arms::overtaken)
      .def_prop_ro("allowance", &Arms::allowance)
      .def("hand_over", &Arms::hand_over)
      .def("retire", &Arms::retire);
}
