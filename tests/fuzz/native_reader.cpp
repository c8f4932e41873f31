// The LIBSVM reader and its decimals under libFuzzer, without Python (nox -s fuzz builds it).
//
// The first byte says where the text is cut in two: the outcome must not depend on it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "data/decimal.hpp"
#include "data/libsvm.hpp"

namespace {

void demand(bool condition) {
  if (!condition) std::abort();
}

bool parse(banditcd::LibsvmParser& parser, const std::string& text, std::size_t cut) {
  if (parser.feed(text.data(), cut)) parser.feed(text.data() + cut, text.size() - cut);
  return parser.finish();
}

template <class T>
bool same(const banditcd::Buffer<T>& a, const banditcd::Buffer<T>& b) {
  const std::size_t bytes = a.size() * sizeof(T);
  return a.size() == b.size() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

void check_rows(const banditcd::LibsvmParser& read) {
  demand(read.row_starts.size() == read.labels.size() + 1);
  demand(read.values.size() == read.indices.size());
  for (std::size_t i = 0; i < read.labels.size(); ++i) {
    demand(std::isfinite(read.labels[i]));
    std::int64_t last = -1;
    for (std::int64_t k = read.row_starts[i]; k < read.row_starts[i + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      demand(read.indices[place] > last && std::isfinite(read.values[place]));
      last = read.indices[place];
    }
    demand(last < read.largest_index());
  }
}

// Refused, or the bits of the correctly rounded strtod of the C library.
void check_decimal(const std::string& text) {
  const std::string padded = text + std::string(1 + banditcd::kReadAhead, '\n');
  double value = 0.0;
  const char* end = banditcd::read_decimal(padded.data(), &value);
  if (end == nullptr) return;
  const std::string number(padded.data(), end);
  const double expected = std::strtod(number.c_str(), nullptr);
  demand(std::memcmp(&value, &expected, sizeof value) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  check_decimal(text);
  banditcd::LibsvmParser whole(0), pieces(0);
  const bool good = parse(whole, text, 0);
  demand(good == parse(pieces, text, text.empty() ? 0 : data[0] % (text.size() + 1)));
  if (!good) {
    demand(whole.error_line() == pieces.error_line() && !whole.error_reason().empty());
    return 0;
  }
  demand(same(whole.labels, pieces.labels) && same(whole.values, pieces.values));
  demand(same(whole.indices, pieces.indices) && same(whole.row_starts, pieces.row_starts));
  check_rows(whole);
  return 0;
}
