// Stored rows whose margins, sums and outer products are shared among threads.
//
// What is asked for is cut into pieces of rows (solve/rounds.hpp); sums are kept in a place for
// each thread and added in their order at the end. The same number of threads gives the same bits.
// A sweep of coordinate descent is no such sum: each row changes w for the next, on one thread.
#pragma once
#include <memory>

#include "svm/stored_rows.hpp"

namespace banditcd::svm {

// Takes the rows over. Those that are read in less than about two milliseconds come back as they
// are.
std::unique_ptr<StoredRows> share_rows(std::unique_ptr<StoredRows> rows, std::size_t threads);

}  // namespace banditcd::svm
