#include "data/libsvm.hpp"

#include <cstring>
#include <utility>

#include "data/decimal.hpp"

namespace banditcd {
namespace {

constexpr std::int64_t kLargestIndex = 2147483647;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool ends_content(char c) { return c == '\n' || c == '#'; }
bool ends_token(char c) { return is_blank(c) || ends_content(c); }

const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

const char* after_newline(const char* p, const char* end) {
  return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
}

// Where the line that `end` lies in starts, not before `begin`.
const char* last_line_start(const char* begin, const char* end) {
  while (end > begin && end[-1] != '\n') --end;
  return end > begin ? end : begin;
}

// read_decimal with a shortcut for counts and indicators: one digit and a space.
const char* read_value(const char* p, double* value) {
  if (p[1] != ' ' || !is_digit(*p)) return read_decimal(p, value);
  *value = *p - '0';
  return p + 1;
}

// The token at `p` for a message: quoted, printable, not too long.
std::string quoted(const char* p) {
  constexpr std::size_t kLongest = 40;
  std::string text = "'";
  for (; !ends_token(*p) && text.size() <= kLongest; ++p)
    text += (*p > ' ' && *p <= '~') ? *p : '?';
  return text + (ends_token(*p) ? "'" : "...'");
}

}  // namespace

LibsvmParser::LibsvmParser(std::int64_t columns)
    : max_index_(columns > 0 && columns < kLargestIndex ? columns : kLargestIndex) {
  row_starts.push(0);
}

const char* LibsvmParser::fail(std::string reason) {
  failed_ = true;
  reason_ = std::move(reason);
  return nullptr;
}

bool LibsvmParser::feed(const char* text, std::size_t size) {
  if (failed_) return false;
  const char* end = text + size;
  const char* tail = last_line_start(text, end);
  if (tail == text) {
    unfinished_.append(text, size);
    return true;
  }
  const char* p = text;
  if (!unfinished_.empty()) {
    p = after_newline(text, end);
    if (!read_copy(unfinished_.append(text, p))) return false;
  }
  // The readers look ahead: lines that end too near to the end of the text are read in a copy.
  const char* safe = size < kReadAhead ? p : last_line_start(p, end - kReadAhead);
  while (p < safe) {
    p = read_line(p);
    if (p == nullptr) return false;
  }
  while (p != tail) {
    const char* next = after_newline(p, end);
    if (!read_copy(unfinished_.assign(p, next))) return false;
    p = next;
  }
  unfinished_.assign(tail, end);
  return true;
}

bool LibsvmParser::finish() {
  if (failed_) return false;
  if (unfinished_.empty()) return true;
  return feed("\n", 1);
}

bool LibsvmParser::read_copy(std::string& line) {
  line.append(kReadAhead, '\0');
  return read_line(line.data()) != nullptr;
}

// Every line ends in a newline, which is part of no number: nothing below can run past it.
const char* LibsvmParser::read_line(const char* p) {
  ++line_;
  if (line_ == 1 && std::strncmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;  // a UTF-8 byte order mark
  p = skip_blanks(p);
  if (!ends_content(*p)) {
    p = read_label(p);
    if (p != nullptr) p = read_query(skip_blanks(p));
    if (p != nullptr) p = read_entries(p);
    if (p == nullptr) return nullptr;
    row_starts.push(static_cast<std::int64_t>(indices.size()));
  }
  while (*p != '\n') ++p;
  return p + 1;
}

const char* LibsvmParser::read_label(const char* token) {
  double label;
  const char* p = read_decimal(token, &label);
  if (p != nullptr && *p == ':')
    return fail("the line starts with " + quoted(token) + ", not with a label");
  if (p != nullptr && *p == ',')
    return fail(quoted(token) + " are several labels; one label a line is supported");
  if (p == nullptr || !ends_token(*p))
    return fail("the label " + quoted(token) + " is not a finite number");
  labels.push(label);
  return p;
}

const char* LibsvmParser::read_query(const char* token) {
  if (std::strncmp(token, "qid:", 4) != 0) return token;
  const char* p = token + 4;
  if (*p == '-' || *p == '+') ++p;
  const char* first = p;
  while (is_digit(*p)) ++p;
  if (p == first || !ends_token(*p))
    return fail("the query id " + quoted(token) + " is not a whole number");
  return p;
}

// The loop that all the time goes into: anything unusual is left to entry_error.
const char* LibsvmParser::read_entries(const char* p) {
  std::int64_t last_index = 0;
  for (p = skip_blanks(p); !ends_content(*p); p = skip_blanks(p)) {
    std::uint64_t index = 0;
    double value;
    const char* colon = scan_digits(p, &index);
    const std::int64_t digits = colon - p;
    if (*colon != ':' || digits == 0 || digits > 10) return entry_error(p, last_index);
    if (static_cast<std::int64_t>(index) <= last_index) return entry_error(p, last_index);
    if (static_cast<std::int64_t>(index) > max_index_) return entry_error(p, last_index);
    const char* end = read_value(colon + 1, &value);
    if (end == nullptr || !ends_token(*end))
      return fail("the value in " + quoted(p) + " is not a finite number");
    last_index = static_cast<std::int64_t>(index);
    indices.push(static_cast<std::int32_t>(last_index - 1));
    values.push(value);
    p = end;
  }
  if (last_index > largest_index_) largest_index_ = last_index;
  return p;
}

// Says what is wrong with the index of the entry at `token`.
const char* LibsvmParser::entry_error(const char* token, std::int64_t last_index) {
  const char* p = token;
  std::int64_t index = 0;  // saturates
  for (; is_digit(*p); ++p) index = index > kLargestIndex ? index : 10 * index + (*p - '0');
  if (p == token || *p != ':') return fail(quoted(token) + " is not an index:value pair");
  if (index == 0) return fail("the index in " + quoted(token) + " is 0; indices start at 1");
  if (index > max_index_)
    return fail("the index in " + quoted(token) + " is above the number of columns, " +
                std::to_string(max_index_));
  const std::string column = "column " + std::to_string(index);
  if (index == last_index) return fail(column + " appears twice");
  if (index < last_index)
    return fail(column + " follows column " + std::to_string(last_index) + "; indices must ascend");
  return fail("the index in " + quoted(token) + " has too many digits");
}

}  // namespace banditcd
