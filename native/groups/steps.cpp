// Steps of a bin: models of the loss on the pool, their minimizers, and how far to follow them.
#include <algorithm>
#include <cmath>

#include "groups/solver.hpp"
#include "groups/strategy.hpp"
#include "kernels/vector.hpp"

namespace banditcd::groups {
namespace {

constexpr double kArmijo = 0.01;
constexpr double kLeastStep = 1e-9;
constexpr double kRounding = 1e-14;  // of the objective, in the comparison of two of its values

double along(double from, double to, double t) { return t == 1.0 ? to : from + t * (to - from); }

}  // namespace

// One step for a quadratic loss, or while blocks come in; else until the pool is solved.
bool Solver::improve(double gap, double target, bool entering, Watch& watch) {
  const int steps = loss_->quadratic() || entering ? 1 : kModels;
  bool moved = false;
  for (int step = 0; step < steps && pool_.size() > 0; ++step) {
    if (!fresh_) correlate_pool(watch);
    const double part = std::isfinite(gap) ? kPoolShare * gap : 0.0;
    solve_model(std::max(part, kTargetShare * target), watch);
    if (!advance(watch)) return moved;
    moved = true;
    if (step + 1 == steps) break;
    correlate_pool(watch);
    gap = certify_pool(false).gap;
    if (gap <= kTargetShare * target) break;
  }
  return moved;
}

void Solver::find_means(const Rowspace& space, Watch& watch) {
  mean_.resize(cols(), 0.0);
  if (!space.centered) return;
  const std::vector<Index>& columns = pool_.column();
  if (!space.weight) {
    for (const Index j : columns) mean_[j] = facts_.mean[j];
    return;
  }
  std::vector<double> sums(columns.size());
  design_->correlate(columns.data(), columns.size(), space.weight, sums.data(), watch);
  for (std::size_t t = 0; t < columns.size(); ++t) mean_[columns[t]] = sums[t] / space.total_weight;
  entries_read_ += entries_of(*design_, columns);
}

void Solver::solve_model(double target, Watch& watch) {
  const Rowspace space = loss_->space();
  if (!loss_->quadratic()) pool_.forget_gram();
  find_means(space, watch);
  x_.resize(pool_.size() * tasks());
  for (std::size_t k = 0; k < tasks(); ++k)
    for (std::size_t i = 0; i < pool_.size(); ++i)
      x_[k * pool_.size() + i] = coef_[k * cols() + pool_.column()[i]];
  on_residual_ = !Pool::fits(pool_.size(), pool_bytes_);
  if (on_residual_) return solve_on_residual(space, target, watch);
  entries_read_ += pool_.grow_gram(*design_, space, mean_.data(), watch);
  gram_.start(pool_, x_, c_, loss_->model_square());
  inner_.solve(gram_, &gram_, target, watch);
  x_ = gram_.x();
}

// The columns of the pool in double precision, rows multiplied by the roots.
std::vector<double> Solver::packed(const double* root, Watch& watch) {
  const std::size_t n = design_->rows();
  const double one = 1.0;
  std::vector<double> out(n * pool_.size(), 0.0);
  for (std::size_t t = 0; t < pool_.size(); ++t) {
    double* to = out.data() + t * n;
    design_->combine(&pool_.column()[t], 1, &one, to, watch);
    for (std::size_t i = 0; i < n; ++i) to[i] *= root[i];
  }
  return out;
}

// On X itself, or on a packed copy of the pool whose rows carry the roots of their weights.
void Solver::solve_on_residual(const Rowspace& space, double target, Watch& watch) {
  entries_read_ += pool_.grow_spectra(*design_, space, mean_.data(), watch);
  std::vector<double> mean(pool_.size());
  for (std::size_t i = 0; i < pool_.size(); ++i) mean[i] = mean_[pool_.column()[i]];
  const ResidualModel::Geometry geometry{space.centered ? mean.data() : nullptr, space.root_weight,
                                         space.total_weight};
  ScaledColumns sparse;
  std::vector<double> dense;
  std::unique_ptr<Design> copy;
  std::vector<Index> columns = pool_.column();
  if (space.weight && design_->sparse()) {
    design_->scale(columns.data(), columns.size(), space.root_weight, sparse);
    copy = make_design(sparse, space.rows);
  } else if (space.weight) {
    dense = packed(space.root_weight, watch);
    DenseColumns<double> view;
    view.data = dense.data();
    view.rows = view.stride = space.rows;
    view.cols = columns.size();
    copy = make_design(view);
  }
  if (copy) columns = all_columns(columns.size());
  residual_.start(pool_, x_, copy ? *copy : *design_, columns, loss_->model_residual(), geometry);
  inner_.solve(residual_, nullptr, target, watch);
  x_ = residual_.x();
}

void Solver::predict(const std::vector<double>& x, std::vector<double>& out, Watch& watch) {
  const std::size_t n = design_->rows(), size = pool_.size();
  std::vector<Index> columns;
  std::vector<double> values;
  out.assign(n * tasks(), 0.0);
  for (std::size_t k = 0; k < tasks(); ++k) {
    columns.clear();
    values.clear();
    for (std::size_t i = 0; i < size; ++i) {
      if (x[k * size + i] == 0.0) continue;
      columns.push_back(pool_.column()[i]);
      values.push_back(x[k * size + i]);
    }
    design_->combine(columns.data(), columns.size(), values.data(), out.data() + k * n, watch);
    if (k == 0) entries_read_ += entries_of(*design_, columns);
  }
}

double Solver::penalty_along(const std::vector<double>& to, double step) const {
  double sum = 0.0;
  for (std::size_t t = 0; t < pool_.blocks(); ++t) {
    double square = 0.0;
    for (std::size_t k = 0; k < tasks(); ++k)
      for (std::size_t i = pool_.first(t); i < pool_.first(t) + pool_.width(t); ++i) {
        const double from = coef_[k * cols() + pool_.column()[i]];
        const double w = along(from, to[k * pool_.size() + i], step);
        square += w * w;
      }
    sum += pool_.penalty(t).value(std::sqrt(square));
  }
  return sum;
}

// Returns whether the point moved.
bool Solver::advance(Watch& watch) {
  predict(x_, predictor_, watch);
  double step = 1.0;
  if (loss_->quadratic())
    loss_->try_at(predictor_, 0.0);
  else
    step = search(x_, watch);
  if (step > 0.0) commit(x_, step);
  return step > 0.0;
}

// The length of the step; zero if there is none. The loss has tried it.
double Solver::search(const std::vector<double>& to, Watch& watch) {
  const double penalty = penalty_along(to, 0.0), objective = loss_->value() + penalty;
  double slope = penalty_along(to, 1.0) - penalty, shift = 0.0;
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    const Index j = pool_.column()[i];
    slope -= c_[i] * (to[i] - coef_[j]);
    if (intercept_) shift -= mean_[j] * (to[i] - coef_[j]);
  }
  // Close to the optimum the slope is all rounding, while the gap still improves.
  const double rounding = kRounding * objective;
  if (slope > rounding) return 0.0;
  const std::vector<double> from = loss_->predictor();
  for (double t = 1.0; t >= kLeastStep; t *= 0.5) {
    if (t < 1.0)
      for (std::size_t i = 0; i < from.size(); ++i) predictor_[i] = 0.5 * (predictor_[i] + from[i]);
    const double value = loss_->try_at(predictor_, t * shift) + penalty_along(to, t);
    if (value <= objective + kArmijo * t * std::min(slope, 0.0) + rounding) return t;
    watch.check();
  }
  return 0.0;
}

void Solver::commit(const std::vector<double>& to, double step) {
  for (std::size_t k = 0; k < tasks(); ++k)
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      double& w = coef_[k * cols() + pool_.column()[i]];
      w = along(w, to[k * pool_.size() + i], step);
    }
  loss_->accept();
  lazy_.forget();
  fresh_ = false;
}

}  // namespace banditcd::groups
