#include "l2_logistic/row_space.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kDependent = 1e-12;      // a pivot below this share of its diagonal entry is zero
constexpr std::size_t kWatchedRows = 16;  // between two looks at the watch

}  // namespace

RowSpace::RowSpace(const Problem& problem, Passes& passes)
    : problem_(problem),
      stride_(padded(problem.rows())),
      inverse_penalty_(problem.penalty_weight ? problem.cols() : 0) {
  for (std::size_t j = 0; j < inverse_penalty_.size(); ++j)
    inverse_penalty_[j] = problem.excluded(j) ? 0.0 : 1.0 / problem.penalty(j);
  const std::size_t n = problem.rows();
  L_.reserve(n * stride_);
  passes.read(&RowMatrix::outer_matrix,
              inverse_penalty_.empty() ? nullptr : inverse_penalty_.data(), nullptr, L_.data(),
              stride_);
  factor(passes.watch());
  passes.charge(problem.X->outer_cost() + factor_cost(n));
  matrix_ = make_rows(DenseRows<double>{L_.data(), n, n, stride_});
}

// K = L L^T in place. A row that depends on earlier ones gets a zero pivot and with it a zero
// column.
void RowSpace::factor(Watch& watch) {
  for (std::size_t i = 0; i < problem_.rows(); ++i) {
    double* row = L_.data() + i * stride_;
    const double original = row[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double* above = L_.data() + j * stride_;
      row[j] = above[j] > 0.0 ? (row[j] - dot(row, above, j)) / above[j] : 0.0;
    }
    const double pivot = row[i] - dot(row, row, i);
    row[i] = pivot > kDependent * original ? std::sqrt(pivot) : 0.0;
    std::fill(row + i + 1, row + stride_, 0.0);
    if (i % kWatchedRows == 0) watch.check();
  }
}

Problem RowSpace::problem() const {
  Problem out = problem_;
  out.X = matrix_.get();
  out.penalty_weight = nullptr;
  return out;
}

void RowSpace::to_columns(const std::vector<double>& u, std::vector<double>& w,
                          Passes& passes) const {
  std::vector<double> c(u);
  for (std::size_t i = c.size(); i-- > 0;) {
    const double* row = L_.data() + i * stride_;
    c[i] = row[i] > 0.0 ? c[i] / row[i] : 0.0;
    axpy(-c[i], row, c.data(), i);
  }
  passes.read(&RowMatrix::transposed_times, c.data(), w.data());
  for (std::size_t j = 0; j < inverse_penalty_.size(); ++j) w[j] *= inverse_penalty_[j];
}

}  // namespace banditcd::l2_logistic
