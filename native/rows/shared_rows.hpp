// Rows whose passes and products are shared among threads.
//
// X is cut into pieces of rows. A round hands each thread the same number of pieces; sums over rows
// are kept in a place for each thread and added in their order at the end. The same number of
// threads gives the same bits, and another number the same sums but for rounding.
#pragma once
#include <memory>

#include "rows/row_matrix.hpp"

namespace banditcd {

// Takes the rows over. Those that are read in less than about two milliseconds come back as they
// are.
std::unique_ptr<RowMatrix> share_rows(std::unique_ptr<RowMatrix> rows, std::size_t threads);

}  // namespace banditcd
