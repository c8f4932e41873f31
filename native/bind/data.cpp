// Bindings of the data readers.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "data/decimal.hpp"
#include "data/libsvm.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using banditcd::Buffer;
using banditcd::LibsvmParser;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

namespace {

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
Array<T> hand_over(Buffer<T>& buffer) {
  const std::size_t size = buffer.size();
  T* memory = buffer.release();
  nb::capsule owner(memory, [](void* p) noexcept { std::free(p); });
  return Array<T>(memory, {size}, owner);
}

bool feed(LibsvmParser& parser, Bytes text) {
  banditcd::bind::GilReleased release;
  return parser.feed(reinterpret_cast<const char*>(text.data()), text.shape(0));
}

std::tuple<Array<double>, Array<std::int64_t>, Array<std::int32_t>, Array<double>> take(
    LibsvmParser& parser) {
  if (parser.row_starts.size() == 0) throw std::invalid_argument("the arrays were taken already");
  return {hand_over(parser.labels), hand_over(parser.row_starts), hand_over(parser.indices),
          hand_over(parser.values)};
}

}  // namespace

void bind_data(nb::module_& m) {
  nb::class_<LibsvmParser>(m, "LibsvmParser",
                           "Incremental, strict parser of LIBSVM text: feed, finish, take.")
      .def(nb::init<std::int64_t>(), "n_features"_a = 0)
      .def("feed", &feed, "text"_a, "Parse one more piece of text; False once a line is malformed.")
      .def("finish", &LibsvmParser::finish, "Parse a last line without newline.",
           nb::call_guard<banditcd::bind::GilReleased>())
      .def("take", &take, "Hand over (labels, indptr, indices, values) without a copy.")
      .def_prop_ro("largest_index", &LibsvmParser::largest_index, "Largest index seen, from 1.")
      .def_prop_ro("error_line", &LibsvmParser::error_line, "Number of the malformed line, or 0.")
      .def_prop_ro("error_reason", &LibsvmParser::error_reason, "Why that line is malformed.");
  m.def(
      "parse_decimal",
      [](const std::string& text) {
        const std::string padded = text + std::string(1 + banditcd::kReadAhead, '\n');
        double value;
        const char* end = banditcd::read_decimal(padded.data(), &value);
        if (end != padded.data() + text.size())
          throw std::invalid_argument("'" + text + "' is not a decimal number");
        return value;
      },
      "text"_a, "One decimal number as the data readers round it: correctly.");
}
