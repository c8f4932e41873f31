// Fewer rows than columns: Newton steps in the space of the rows.
//
// With K = X P^-1 X^T = L L^T and P^(-1/2) X^T = Q L^T, Q having orthonormal columns, w =
// P^(-1/2) Q u turns the problem into the same one for the n x n matrix L with a plain penalty
// (Hastie and Tibshirani 2004). The certificate is still made from X at the w that comes back.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/memory.hpp"
#include "kernels/vector.hpp"
#include "l2_logistic/solver.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {
namespace {

constexpr double kDependent = 1e-12;  // a pivot below this share of its diagonal entry is zero
constexpr double kTighter = 0.7;      // of the tolerance, so that the certificate on X holds too

// K = L L^T in place, zeros above the diagonal. A row that depends on earlier ones gets a zero
// pivot and with it a zero column.
void factor_rows(AlignedBuffer& K, std::size_t size, std::size_t stride, Watch& watch) {
  for (std::size_t i = 0; i < size; ++i) {
    double* row = K.data() + i * stride;
    const double original = row[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double* above = K.data() + j * stride;
      row[j] = above[j] > 0.0 ? (row[j] - dot(row, above, j)) / above[j] : 0.0;
    }
    const double pivot = row[i] - dot(row, row, i);
    row[i] = pivot > kDependent * original ? std::sqrt(pivot) : 0.0;
    std::fill(row + i + 1, row + stride, 0.0);
    if (i % 16 == 0) watch.check();
  }
}

}  // namespace

bool L2Logistic::rowspace_applies() const {
  const double bytes = 8.0 * static_cast<double>(rows()) * static_cast<double>(rows());
  if (rows() >= cols() || bytes > kHessianBytes || !(lambda_ > 0.0) || has_free_columns())
    return false;
  const double pass = data_.X->pass_cost();
  return data_.X->outer_cost() + kRowspaceSteps * factor_cost(rows()) < kRowspacePasses * pass;
}

// Wide rows that are nearly orthogonal are done by a few passes of dual descent, which gives up
// early if they are not.
bool L2Logistic::dual_before_rowspace() const {
  const double pass = data_.X->pass_cost();
  return !data_.penalty && data_.X->outer_cost() > kDualFirst * pass &&
         4.0 * mean_curvature() <= kWideCurvature * lambda_;
}

void L2Logistic::start_in_rowspace(const Limits& limits, Watch& watch) {
  const std::size_t n = rows(), stride = padded(n);
  std::vector<double> inverse(data_.penalty ? cols() : 0);
  for (std::size_t j = 0; j < inverse.size(); ++j)
    inverse[j] = excluded(j) ? 0.0 : 1.0 / penalty(j);
  AlignedBuffer L;
  L.reserve(n * stride);
  data_.X->outer_matrix(data_.penalty ? inverse.data() : nullptr, nullptr, L.data(), stride, watch);
  passes_ += 1.0;
  factor_rows(L, n, stride, watch);
  DenseRows<double> view;
  view.data = L.data();
  view.rows = view.cols = n;
  view.stride = stride;
  const std::unique_ptr<RowMatrix> square = make_rows(view);
  LogisticData data = data_;
  data.X = square.get();
  data.penalty = nullptr;
  L2Logistic small(data);
  small.force_regime(Regime::kNewton);
  small.solve(lambda_, watch.nested(kTighter * limits.tol, limits.max_iter));
  watch.check();
  // From u back to w: L^T c = u, and w = P^-1 X^T c.
  std::vector<double> c(small.coef());
  for (std::size_t i = n; i-- > 0;) {
    const double* row = L.data() + i * stride;
    c[i] = row[i] > 0.0 ? c[i] / row[i] : 0.0;
    axpy(-c[i], row, c.data(), i);
  }
  data_.X->transposed_times(c.data(), w_.data(), watch);
  passes_ += 1.0;
  for (std::size_t j = 0; j < inverse.size(); ++j) w_[j] *= inverse[j];
  b_ = small.intercept();
  // The same rows have the same dual point; Q keeps what is left of X^T alpha.
  pair_ = small.pair_;
  apart_.assign(cols(), 0.0);
  pair_given_ = true;
}

}  // namespace banditcd::l2_logistic
