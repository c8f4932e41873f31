// The first pass over X, points given from outside, and the largest penalty.
#include <algorithm>
#include <cmath>

#include "groups/solver.hpp"

namespace banditcd::groups {
namespace {

constexpr double kAboveAll = 1e200;  // a penalty that only the unpenalized groups survive
constexpr double kFreeTolerance = 1e-12;

}  // namespace

void Solver::start(Watch& watch) {
  if (started_) return;
  const Unhurried first(watch);
  loss_->start();
  survey(watch);
  started_ = true;
}

// One pass for squares, means and, of a single task, all correlations.
void Solver::survey(Watch& watch) {
  Rowspace space;
  space.rows = design_->rows();
  space.total_weight = static_cast<double>(space.rows);
  space.centered = intercept_;
  facts_.resize(cols());
  const std::vector<double>& pull = loss_->pull();
  design_->survey(space, pull.data(), facts_, watch);
  entries_read_ += static_cast<double>(design_->entries());
  const bool moved = intercept_ && !loss_->quadratic() && design_.center_far_columns(facts_);
  if (moved) std::fill(facts_.mean.begin(), facts_.mean.end(), 0.0);
  lazy_.start(*design_, tasks(), facts_.square);
  for (std::size_t g = 0; tasks() == 1 && !moved && g < layout_.count(); ++g) {
    double square = 0.0;
    for (std::size_t i = 0; i < layout_.size(g); ++i) {
      const double u = facts_.correlation[layout_.columns(g)[i]];
      square += u * u;
    }
    lazy_.set_norm(g, std::sqrt(square), pull);
  }
}

void Solver::set_point(const double* coef, const double* intercept, const Limits& limits) {
  Watch watch(limits);
  start(watch);
  std::copy(coef, coef + coef_.size(), coef_.begin());
  for (std::size_t g = 0; g < layout_.count(); ++g)
    for (std::size_t k = 0; !lazy_.eligible(g) && k < tasks(); ++k)
      for (std::size_t i = 0; i < layout_.size(g); ++i)
        coef_[k * cols() + layout_.columns(g)[i]] = 0.0;
  for (std::size_t g = 0; g < layout_.count(); ++g)
    if (in_use(g) && !pool_.contains(g)) pool_.add(g);
  x_.resize(pool_.size() * tasks());
  for (std::size_t k = 0; k < tasks(); ++k)
    for (std::size_t i = 0; i < pool_.size(); ++i)
      x_[k * pool_.size() + i] = coef_[k * cols() + pool_.column()[i]];
  predict(x_, predictor_, watch);
  const double shift = tasks() == 1 ? design_.shift(coef_) : 0.0;
  loss_->try_at(predictor_, intercept ? intercept[0] + shift - loss_->intercept(0) : 0.0);
  loss_->accept();
  lazy_.forget();
  fresh_ = false;
}

// Groups without penalty are fitted first: what counts is the pull they leave.
double Solver::largest_penalty(const Limits& limits) {
  Watch watch(limits);
  start(watch);
  if (loss_->degenerate()) return 0.0;
  const Point before = here();
  Limits exact = limits;
  exact.tol = kFreeTolerance;
  const std::vector<double> null(coef_.size(), 0.0);
  if (pool_.size() > 0) set_point(null.data(), nullptr, limits);
  if (std::find(layout_.weight.begin(), layout_.weight.end(), 0.0) != layout_.weight.end())
    solve(kAboveAll, 0.0, exact);
  std::vector<double> norm(layout_.count());
  lazy_.pass(*design_, loss_->pull(), 0.0, [](std::size_t) { return false; }, watch);
  double largest = 0.0;
  for (const Index g : lazy_.evaluated())
    if (layout_.weight[g] > 0.0) largest = std::max(largest, lazy_.norm(g) / layout_.weight[g]);
  if (pool_.size() > 0) set_point(before.coef.data(), before.intercept.data(), limits);
  return largest;
}

}  // namespace banditcd::groups
