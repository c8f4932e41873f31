// Conjugate gradients that carry a dual point along.
//
// Without a preconditioner and from w = 0, every iterate is w = Xc^T a for a vector a of the rows:
// directions and gradients are Xc^T of vectors q and rho that obey the same recursion, with X
// times the direction, which each step computes anyway. The dual point lambda a belongs to w
// exactly, and the gap of the pair is A = sum_i rho_i^2 / (2 s_i), rho = s r - lambda a, which is
// smaller than B = |gradient|^2 / (2 lambda), the gap of the dual point s r, by about the ratio of
// the eigenvalues to lambda. Between the two, lambda a + t rho has the gap (1 - t)^2 A + t^2 B: at
// the best t = A / (A + B) that is A B / (A + B).
#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/vector.hpp"
#include "ridge/ridge.hpp"

namespace banditcd::ridge {
namespace {

// Squares of rows that a copy in single precision holds; rows between two looks at the watch.
constexpr double kCopyLeast = 1e-40, kCopyMost = 1e40;
constexpr std::size_t kWatchedRows = 64;

// sum_i rho_i^2 / (2 s_i); rows without weight have rho = 0.
double pair_gap(const std::vector<double>& rho, const double* s) {
  double sum = 0.0;
  for (std::size_t i = 0; i < rho.size(); ++i)
    if (rho[i] != 0.0) sum += 0.5 * rho[i] * rho[i] / (s ? s[i] : 1.0);
  return sum;
}

// What has to become small, and how small.
struct Course {
  double now, goal;
  bool ends() const { return !(now > goal); }
  double left() const { return now / goal; }
};

// The best dual point lambda a + share rho, and its gap; square = |gradient|^2.
struct BestDual {
  double share, gap;
};
BestDual best_dual(const std::vector<double>& rho, const double* s, double square, double lambda) {
  const double pair = pair_gap(rho, s), own = square / (2.0 * lambda);
  const double share = pair > 0.0 ? pair / (pair + own) : 0.0;
  return {share, share * own};
}

// X in single precision: a product reads half the bytes. Rounding moves the optimum by far less
// than a loose target; what is certified comes from X.
struct RoundedRows {
  std::unique_ptr<float[]> values;
  std::unique_ptr<RowMatrix> rows;  // null: out of range
};
RoundedRows rounded_rows(const RowMatrix& X, Watch& watch) {
  RoundedRows out;
  out.values.reset(new float[X.entries()]);
  float* to = out.values.get();
  bool in_range = true;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const double square = X.row_square(i);
    in_range &= square == 0.0 || (square > kCopyLeast && square < kCopyMost);
    X.round_row(i, to);
    to += X.row_entries(i);
    if (i % kWatchedRows == 0) watch.check();
  }
  if (in_range) out.rows = X.rounded(out.values.get());
  return out;
}

// to = from + beta to
void add_to(const double* from, double beta, std::vector<double>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + beta * to[i];
}

}  // namespace

std::size_t ridge_race(const RidgeRows& rows, const RaceStop& stop, double* gradient, double* w,
                       const double* rho, double* dual, Watch& watch) {
  const std::size_t p = rows.X->cols(), n = rows.X->rows();
  std::vector<double> direction(gradient, gradient + p), image(p), forward(n), left(rho, rho + n);
  std::vector<double> q(left);
  double square = dot(gradient, gradient, p);
  BestDual best = best_dual(left, rows.weight, square, stop.lambda);
  Course gap = {best.gap, stop.gap}, size = {dot(rho, rho, n), 0.0};
  size.goal = stop.reduction * stop.reduction * size.now;
  std::size_t products = 0;
  RoundedRows copy;
  if (stop.rounded) copy = rounded_rows(*rows.X, watch);
  RidgeRows read = rows;
  if (copy.rows) read.X = copy.rows.get();
  while (square > 0.0 && !(gap.ends() && size.ends()) && products < stop.max_products) {
    if (stop.arms.overtaken()) break;
    ridge_product(read, stop.lambda, direction.data(), forward.data(), image.data(), watch);
    ++products;
    const double curvature = dot(direction.data(), image.data(), p);
    if (!(curvature > 0.0)) break;
    const double step = square / curvature;
    axpy(step, direction.data(), w, p);
    axpy(step, q.data(), dual, n);  // a, until the end
    axpy(-step, image.data(), gradient, p);
    axpy(-step, forward.data(), left.data(), n);
    axpy(-step * stop.lambda, q.data(), left.data(), n);
    const double next = dot(gradient, gradient, p), beta = next / square;
    square = next;
    add_to(gradient, beta, direction);
    add_to(left.data(), beta, q);
    best = best_dual(left, rows.weight, square, stop.lambda);
    gap.now = best.gap;
    size.now = dot(left.data(), left.data(), n);
    stop.arms.note(rows.X->pass_cost(), std::max(gap.left(), size.left()));
  }
  for (std::size_t i = 0; i < n; ++i) dual[i] = stop.lambda * dual[i] + best.share * left[i];
  return products + (stop.rounded ? 1 : 0);
}

}  // namespace banditcd::ridge
