#include "groups/steps.hpp"

#include <algorithm>
#include <cmath>

#include "groups/strategy.hpp"
#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "solve/halved_step.hpp"
#include "solve/strategy.hpp"

namespace banditcd::groups {

void Steps::improve(double gap, double target, bool entering, Watch& watch) {
  if (rough_ && !entering && !(gap < kRoughProgress * rough_gap_)) {
    at_.pool.forget_gram();
    rough_ = false;
    exact_ = true;
  }
  rough_gap_ = gap;
  const int steps = at_.loss->quadratic() || entering ? 1 : kModels;
  for (int step = 0; step < steps && at_.pool.size() > 0; ++step) {
    if (!at_.fresh) at_.correlate_pool(watch);
    solve_model(inner_target(gap, target), watch);
    if (!advance(watch) || step + 1 == steps) break;
    at_.correlate_pool(watch);
    gap = at_.certify(false).gap;
    if (gap <= kTargetShare * target) break;
  }
}

// Of a pool of all blocks nothing but its own solution is worth another bin.
double Steps::inner_target(double gap, double target) const {
  const double least = kTargetShare * target;
  if (!std::isfinite(gap)) return least;
  std::size_t eligible = 0;
  for (std::size_t g = 0; g < at_.layout.count(); ++g) eligible += at_.lazy.eligible(g) ? 1 : 0;
  const bool all = at_.loss->quadratic() && at_.pool.blocks() == eligible &&
                   at_.design->rows() >= kTall * at_.cols();
  return std::max(least, (all ? kRoughShare : kPoolShare) * gap);
}

// Whether products in single precision do: for tall data, whose Gram matrix is far from singular,
// and where they save more than they may cost again.
bool Steps::roughly(const Rowspace& space) const {
  const std::vector<Index>& columns = at_.pool.column();
  if (exact_ || !at_.loss->quadratic() || space.weight || space.root_weight ||
      !at_.design->offers_rough() || at_.design->rows() < kTall * columns.size() ||
      product_cost(at_.design->rows(), columns.size()) < kRoughFrom)
    return false;
  return std::all_of(columns.begin(), columns.end(),
                     [&](Index j) { return at_.facts.square[j] > 0.0; });
}

void Steps::find_means(const Rowspace& space, Watch& watch) {
  mean_.resize(at_.cols(), 0.0);
  if (!space.centered) return;
  const std::vector<Index>& columns = at_.pool.column();
  if (!space.weight) {
    for (const Index j : columns) mean_[j] = at_.facts.mean[j];
    return;
  }
  std::vector<double> sums(columns.size());
  at_.design->correlate(columns.data(), columns.size(), space.weight, sums.data(), watch);
  for (std::size_t t = 0; t < columns.size(); ++t) mean_[columns[t]] = sums[t] / space.total_weight;
  at_.entries_read += entries_of(*at_.design, columns);
}

void Steps::solve_model(double target, Watch& watch) {
  const Rowspace space = at_.loss->space();
  if (!at_.loss->quadratic()) at_.pool.forget_gram();
  find_means(space, watch);
  x_ = at_.pool_coefficients();
  const bool fits = Pool::fits(at_.pool.size(), pool_bytes_);
  on_residual_ = !fits || (patient_ && updates_are_cheaper_on_residual());
  if (on_residual_) {
    // Where this does not get there, Newton's method on the Gram matrix has more digits.
    patient_ = solve_on_residual(space, target, watch) || !fits;
    return;
  }
  // One matrix has entries of one precision.
  rough_ = rough_ || (!at_.pool.has_gram() && roughly(space));
  at_.entries_read += rough_ ? at_.pool.grow_rough_gram(*at_.design, at_.facts, watch)
                             : at_.pool.grow_gram(*at_.design, space, mean_.data(), watch);
  gram_.start(at_.pool, x_, at_.c, at_.loss->model_square());
  gram_.judge_free_blocks(at_.lazy.square(), kOrthogonalShare * at_.loss->null_square());
  inner_.solve(gram_, target, watch);
  x_ = gram_.x();
}

// The columns of the pool in double precision, rows multiplied by the roots.
std::vector<double> Steps::packed(const double* root, Watch& watch) {
  const std::size_t n = at_.design->rows();
  const double one = 1.0;
  std::vector<double> out(n * at_.pool.size(), 0.0);
  for (std::size_t t = 0; t < at_.pool.size(); ++t) {
    double* to = out.data() + t * n;
    at_.design->combine(&at_.pool.column()[t], 1, &one, to, watch);
    for (std::size_t i = 0; i < n; ++i) to[i] *= root[i];
  }
  return out;
}

// By what one coordinate update reads: twice a column, or a row of the Gram matrix.
bool Steps::updates_are_cheaper_on_residual() const {
  const double entries =
      entries_of(*at_.design, at_.pool.column()) / static_cast<double>(at_.pool.size());
  const double column = 2.0 * entries * (at_.design->sparse() ? kSparseRow : kEpochEntry);
  return at_.pool.size() > kGramAlways && column < gram_update(at_.pool.size());
}

// On X itself, or on a packed copy of the pool whose rows carry the roots of their weights. Returns
// whether the target was reached.
bool Steps::solve_on_residual(const Rowspace& space, double target, Watch& watch) {
  at_.entries_read += at_.pool.grow_spectra(*at_.design, space, mean_.data(), watch);
  std::vector<double> mean(at_.pool.size());
  for (std::size_t i = 0; i < at_.pool.size(); ++i) mean[i] = mean_[at_.pool.column()[i]];
  const ResidualModel::Geometry geometry{space.centered ? mean.data() : nullptr, space.root_weight,
                                         space.total_weight};
  ScaledColumns sparse;
  std::vector<double> dense;
  std::unique_ptr<Design> copy;
  std::vector<Index> columns = at_.pool.column();
  if (space.weight && at_.design->sparse()) {
    at_.design->scale(columns.data(), columns.size(), space.root_weight, sparse);
    copy = make_design(sparse, space.rows);
  } else if (space.weight) {
    dense = packed(space.root_weight, watch);
    copy = make_design(DenseColumns<double>{dense.data(), space.rows, columns.size(), space.rows});
  }
  if (copy) columns = all_columns(columns.size());
  residual_.start(at_.pool, x_, copy ? *copy : *at_.design, columns, at_.loss->model_residual(),
                  geometry);
  residual_.judge_free_blocks(at_.lazy.square(), kOrthogonalShare * at_.loss->null_square());
  const bool reached = inner_.solve(residual_, target, watch);
  x_ = residual_.x();
  at_.entries_read += residual_.entries_read();
  return reached;
}

double Steps::penalty_along(double step) const {
  double sum = 0.0;
  for (std::size_t t = 0; t < at_.pool.blocks(); ++t) {
    double square = 0.0;
    for (std::size_t k = 0; k < at_.tasks(); ++k)
      for (std::size_t i = at_.pool.first(t); i < at_.pool.first(t) + at_.pool.width(t); ++i) {
        const double from = at_.coef[k * at_.cols() + at_.pool.column()[i]];
        const double w = mixed(from, x_[k * at_.pool.size() + i], step);
        square += w * w;
      }
    sum += at_.pool.penalty(t).value(std::sqrt(square));
  }
  return sum;
}

// Returns whether the point moved.
bool Steps::advance(Watch& watch) {
  at_.predict(x_, predictor_, watch);
  double step = 1.0;
  if (at_.loss->quadratic())
    at_.loss->try_at(predictor_, 0.0);
  else
    step = search(watch);
  if (step > 0.0) commit(step);
  return step > 0.0;
}

// The length of the step; zero if there is none. The loss has tried it.
double Steps::search(Watch& watch) {
  const double penalty = penalty_along(0.0), objective = at_.loss->value() + penalty;
  double slope = penalty_along(1.0) - penalty, shift = 0.0;
  for (std::size_t i = 0; i < at_.pool.size(); ++i) {
    const Index j = at_.pool.column()[i];
    slope -= at_.c[i] * (x_[i] - at_.coef[j]);
    if (at_.intercept) shift -= mean_[j] * (x_[i] - at_.coef[j]);
  }
  const auto value_at = [&](double t) {
    return at_.loss->try_at(predictor_, t * shift) + penalty_along(t);
  };
  return halved_step({objective, slope, at_.loss->predictor()}, predictor_, value_at, watch);
}

void Steps::commit(double step) {
  for (std::size_t k = 0; k < at_.tasks(); ++k)
    for (std::size_t i = 0; i < at_.pool.size(); ++i) {
      double& w = at_.coef[k * at_.cols() + at_.pool.column()[i]];
      w = mixed(w, x_[k * at_.pool.size() + i], step);
    }
  at_.loss->accept();
  at_.forget();
}

}  // namespace banditcd::groups
