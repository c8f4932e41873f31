// The survey of few dense columns together with their Gram matrix, from one look at the data.
#pragma once
#include <algorithm>
#include <vector>

#include "columns/design.hpp"
#include "kernels/prices.hpp"
#include "kernels/tiles.hpp"

namespace banditcd {

// Products of all columns with each other, with v and, for the means, with ones; no row weights.
template <class T>
class GramSurvey {
 public:
  // products[j * cols + i] is <x_i, x_j> for i <= j, then <x_i, v>, then the sum of x_i.
  GramSurvey(const DenseColumns<T>& columns, const double* v, Watch& watch)
      : columns_(columns), products_((columns.cols + 2) * columns.cols) {
    const std::size_t cols = columns.cols;
    const std::size_t lane = padded(std::min(kGramRows, columns.rows));
    AlignedBuffer packed;
    packed.reserve((cols + 2) * lane);
    std::fill_n(packed.data() + (cols + 1) * lane, lane, 1.0);
    for (std::size_t row = 0; row < columns.rows; row += kGramRows) {
      const std::size_t size = std::min(kGramRows, columns.rows - row), whole = padded(size);
      for (std::size_t j = 0; j <= cols; ++j) {
        double* to = packed.data() + j * lane;
        if (j < cols)
          std::copy_n(columns.column(j) + row, size, to);
        else
          std::copy_n(v + row, size, to);
        std::fill(to + size, to + whole, 0.0);
      }
      add_products({packed.data(), lane, cols}, {packed.data(), lane, cols + 2}, whole, 1.0,
                   products_.data(), cols, Part::kDiagonal);
      watch.check();
    }
  }

  double product(std::size_t i, std::size_t j) const {
    return products_[std::max(i, j) * columns_.cols + std::min(i, j)];
  }
  double correlation(std::size_t j) const { return products_[columns_.cols * columns_.cols + j]; }
  double sum(std::size_t j) const { return products_[(columns_.cols + 1) * columns_.cols + j]; }

 private:
  const DenseColumns<T>& columns_;
  std::vector<double> products_;
};

}  // namespace banditcd
