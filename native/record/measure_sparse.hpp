// True residuals of several points at once, for sparse columns.
#pragma once
#include <vector>

#include "record/design.hpp"

namespace banditcd::record {

// The residuals lie side by side, so that one entry of X serves all of them.
template <class Columns>
void measure_sparse(const Columns& columns, const Rowspace& space, const PointBatch& batch,
                    BatchFacts& out, Watch& watch) {
  const std::size_t size = batch.size;
  std::vector<double> residual(columns.rows * size);
  for (std::size_t i = 0; i < columns.rows; ++i)
    for (std::size_t b = 0; b < size; ++b) residual[i * size + b] = batch.y[i] + batch.shift[b];
  for (std::size_t t = 0; t < batch.count; ++t, watch.check()) {
    const double* w = batch.coef + t * size;
    columns.each(batch.column[t], [&](std::size_t i, double a) {
      double* r = residual.data() + i * size;
      for (std::size_t b = 0; b < size; ++b) r[b] -= a * w[b];
    });
  }
  for (std::size_t i = 0; i < columns.rows; ++i)
    for (std::size_t b = 0; b < size; ++b) {
      double& r = residual[i * size + b];
      const double weighted = space.weight ? space.weight[i] * r : r;
      out.sum[b] += weighted;
      out.square[b] += weighted * r;
      r = weighted;
    }
  for (std::size_t t = 0; t < batch.count; ++t, watch.check()) {
    double* u = out.correlation.data() + t * size;
    columns.each(batch.column[t], [&](std::size_t i, double a) {
      const double* r = residual.data() + i * size;
      for (std::size_t b = 0; b < size; ++b) u[b] += a * r[b];
    });
  }
}

}  // namespace banditcd::record
