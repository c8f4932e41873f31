// Weighted sums of outer products of sparse rows: H += sum_t weight_t z_t z_t^T.
//
// Only the lower triangle of H is written, row by row (H(i, j) with j <= i at h[i * stride + j]),
// which is the triangle a row-wise Cholesky factorization reads. The cost is half the square of the
// stored entries of each row, so it beats a dense product when rows are short. A row leaves the sum
// by the negative of its weight, so H can follow a set of rows that changes a little at a time.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kernels/columns.hpp"

namespace banditcd {

struct ScatterTarget {
  double* h = nullptr;
  std::size_t stride = 0;
  // A constant entry behind every row (an intercept): row and column `cols` of H; 0 means none.
  double border = 0.0;
};

// The rows of X as "columns" of its transpose: row i of X is column i of X_rows, `X_rows.rows`
// features wide. Feature indices must ascend within a row. Weights may have any sign.
template <class T>
void scatter_rows(const CscColumns<T>& X_rows, const std::int32_t* which, const double* weight,
                  std::size_t count, const ScatterTarget& target);

// The products that scatter_rows would form for these rows: its cost, for a cost model.
template <class T>
double scatter_products(const CscColumns<T>& X_rows, const std::int32_t* which, std::size_t count);

}  // namespace banditcd
