#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "data/buffer.hpp"

namespace banditcd {

// An incremental, strict parser of LIBSVM text, one sample a line:
//
//   label [qid:n] index:value index:value ...   [# comment]
//
// Indices start at 1 and ascend; numbers are finite. Blank lines and lines with only a comment
// are skipped. Feed the text in pieces of any size, then call finish(). The first malformed line
// stops the parser: error_line() and error_reason() say where and why.
class LibsvmParser {
 public:
  // `columns` bounds the indices; 0 means the bound of 32-bit indices.
  explicit LibsvmParser(std::int64_t columns);

  // Both return false once a line was malformed.
  bool feed(const char* text, std::size_t size);
  bool finish();

  std::int64_t error_line() const { return failed_ ? line_ : 0; }
  const std::string& error_reason() const { return reason_; }
  std::int64_t largest_index() const { return largest_index_; }

  // The rows read so far as a CSR matrix (indices from 0) and their labels.
  Buffer<double> labels, values;
  Buffer<std::int64_t> row_starts;
  Buffer<std::int32_t> indices;

 private:
  bool read_copy(std::string& line);
  const char* read_line(const char* p);
  const char* read_entries(const char* p);
  const char* read_label(const char* p);
  const char* read_query(const char* p);
  const char* fail(std::string reason);
  const char* entry_error(const char* token, std::int64_t last_index);

  std::int64_t max_index_;
  std::int64_t largest_index_ = 0;
  std::int64_t line_ = 0;
  std::string unfinished_;  // the start of a line whose end has not been fed yet
  bool failed_ = false;
  std::string reason_;
};

}  // namespace banditcd
