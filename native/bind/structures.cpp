// Bindings of the argmax and sampling structures: for tests against brute force.
#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/module.hpp"
#include "engine/argmax_tree.hpp"
#include "engine/bucket_queue.hpp"
#include "engine/sampling_tree.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::engine {
namespace {

// A structure over a fixed number of values, with every index checked.
template <class Structure>
class Checked {
 public:
  explicit Checked(const Doubles& values) { assign(values); }
  void assign(const Doubles& values) {
    if (values.shape(0) == 0) throw std::invalid_argument("at least one value is needed");
    size_ = values.shape(0);
    structure.assign(std::vector<double>(values.data(), values.data() + size_));
  }
  void set(std::int64_t i, double value) {
    if (i < 0 || static_cast<std::size_t>(i) >= size_)
      throw std::out_of_range("the index is out of range");
    structure.set(static_cast<std::size_t>(i), value);
  }
  Structure structure;

 private:
  std::size_t size_ = 0;
};

template <class Structure>
nb::class_<Checked<Structure>> bind_structure(nb::module_& m, const char* name, const char* doc) {
  using Bound = Checked<Structure>;
  return nb::class_<Bound>(m, name, doc)
      .def(nb::init<const Doubles&>(), "values"_a)
      .def("assign", &Bound::assign, "values"_a, "All values at once.")
      .def("set", &Bound::set, "i"_a, "value"_a, "Change one value.");
}

}  // namespace
}  // namespace banditcd::engine

void bind_structures(nb::module_& m) {
  using namespace banditcd::engine;
  bind_structure<ArgmaxTree>(m, "ArgmaxTree", "The largest of many numbers >= 0.")
      .def("largest", [](const Checked<ArgmaxTree>& t) { return t.structure.largest(); })
      .def("argmax", [](const Checked<ArgmaxTree>& t) { return t.structure.argmax(); });
  bind_structure<SamplingTree>(m, "SamplingTree", "Draws in proportion to weights >= 0.")
      .def(
          "scale", [](Checked<SamplingTree>& t, double by) { t.structure.scale(by); }, "factor"_a)
      .def("total", [](const Checked<SamplingTree>& t) { return t.structure.total(); })
      .def(
          "draw", [](const Checked<SamplingTree>& t, double u) { return t.structure.draw(u); },
          "u"_a, "The index whose interval of the cumulative sum holds u * total().");
  bind_structure<BucketQueue>(m, "BucketQueue", "Some value within sqrt(2) of the largest.")
      .def("empty", [](const Checked<BucketQueue>& t) { return t.structure.all_zero(); })
      .def("argmax", [](const Checked<BucketQueue>& t) {
        if (t.structure.all_zero()) throw std::invalid_argument("every value is zero");
        return t.structure.argmax();
      });
}
