#include "columns/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace banditcd {

WeightedRows::WeightedRows(std::size_t rows, const double* weight, bool centered) {
  space_.rows = rows;
  space_.weight = weight;
  space_.total_weight = static_cast<double>(rows);
  space_.centered = centered;
  if (!weight) return;
  space_.total_weight = std::accumulate(weight, weight + rows, 0.0);
  root_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) root_[i] = std::sqrt(weight[i]);
  space_.root_weight = root_.data();
}

void copy_gram(const double* gram, std::size_t stride, const GramRequest& request, Watch& watch) {
  for (std::size_t i = 0; i < request.size; ++i) {
    const double* from = gram + static_cast<std::size_t>(request.column[i]) * stride;
    double* to = request.gram + i * request.stride;
    for (std::size_t j = 0; j < request.size; ++j) to[j] = from[request.column[j]];
    watch.check();
  }
}

void mirror(const GramRequest& request, Watch& watch) {
  constexpr std::size_t kSide = 16;
  const std::size_t ld = request.stride;
  for (std::size_t j = request.old_size; j < request.size; j += kSide) {
    const std::size_t j_last = std::min(j + kSide, request.size);
    for (std::size_t i = 0; i < j_last; i += kSide)
      for (std::size_t s = i; s < std::min(i + kSide, j_last); ++s)
        for (std::size_t t = std::max(j, s + 1); t < j_last; ++t)
          request.gram[s * ld + t] = request.gram[t * ld + s];
    watch.check();
  }
}

std::vector<Index> all_columns(std::size_t cols) {
  std::vector<Index> out(cols);
  std::iota(out.begin(), out.end(), Index{0});
  return out;
}

double entries_of(const Design& design, const std::vector<Index>& columns) {
  if (!design.sparse()) return static_cast<double>(columns.size() * design.rows());
  double sum = 0.0;
  for (const Index j : columns) sum += static_cast<double>(design.entries(j));
  return sum;
}

std::unique_ptr<Design> make_design(const ScaledColumns& columns, std::size_t rows) {
  if (columns.dense.empty()) return make_design(columns.view(rows));
  return make_design(columns.dense_view(rows));
}

}  // namespace banditcd
