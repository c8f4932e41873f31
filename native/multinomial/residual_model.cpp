#include "multinomial/residual_model.hpp"

#include <algorithm>

#include "kernels/vector.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {
namespace {

// Steps cost less than epochs that crawl: the next model says more than the end of this one.
constexpr int kEpochs = 30;
constexpr std::size_t kCheckEntries = 1 << 18;  // between two looks at the watch

}  // namespace

double ResidualModel::solve(const ModelProblem& model, double allowed, ModelStep& out,
                            Watch& watch) {
  fill(model, watch);
  out.x = model.pool.x;
  out.shift.assign(model.problem.width(), 0.0);
  const double price = entries_ * (model.X.sparse() ? kSparseEpoch : kDenseEpoch);
  double total = 0.0, before = kInfinity, spent = price;
  for (int epoch = 0; epoch < kEpochs && (epoch == 0 || spent < allowed); ++epoch) {
    double decrease = 0.0;
    for (std::size_t k = 0; k < model.problem.classes(); ++k)
      decrease += sweep(model, k, out, watch);
    ++epochs_;
    spent += price;
    total += decrease;
    // What is left if every epoch brings the same share of the one before.
    const double left = decrease < before ? decrease / (1.0 - decrease / before) : kInfinity;
    if (epoch > 0 && (left <= model.gap)) break;
    if (!(decrease > 0.0)) break;
    before = decrease;
  }
  return spent;
}

void ResidualModel::fill(const ModelProblem& model, Watch& watch) {
  const Problem& problem = model.problem;
  const std::size_t n = problem.count(), classes = problem.classes(), width = problem.width();
  for (AlignedVector* part : {&theta_, &weight_, &h_, &p_, &dz_}) part->resize(n * classes);
  std::fill(dz_.begin(), dz_.end(), 0.0);
  mean_.assign(n, 0.0);
  pull_.resize(n);
  change_.resize(n);
  total_.assign(classes, 0.0);
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t i = 0, t = k * n; i < n; ++i, ++t) {
      const double p = model.point.p[i * width + k], weight = problem.weight(i) * p;
      theta_[t] = model.point.theta[i * width + k];
      p_[t] = p;
      weight_[t] = weight;
      total_[k] += h_[t] = weight * (1.0 - p);
    }
  coordinate_.resize(model.pool.size());
  first_.assign(classes + 1, 0);
  entries_ = static_cast<double>(n * classes);  // between two classes
  std::size_t work = 0;
  for (std::size_t c = 0; c < coordinate_.size(); ++c) {
    const auto k = static_cast<std::size_t>(model.pool.label[c]);
    const auto column = static_cast<std::size_t>(model.pool.column[c]);
    const double h = model.X.curvature(column, h_.data() + k * n);
    coordinate_[c] = {model.pool.column[c], model.pool.g[c], h, model.damping * h, model.pool.x[c]};
    ++first_[k + 1];
    entries_ += static_cast<double>(model.X.entries(column));
    if ((work += model.X.entries(column)) > kCheckEntries) watch.check(), work = 0;
  }
  for (std::size_t k = 0; k < classes; ++k) first_[k + 1] += first_[k];
}

// Returns the decrease of the model, from what the steps alone tell.
double ResidualModel::sweep(const ModelProblem& model, std::size_t k, ModelStep& out,
                            Watch& watch) {
  const std::size_t n = model.problem.count(), at = k * n;
  for (std::size_t i = 0; i < n; ++i)
    pull_[i] = theta_[at + i] - weight_[at + i] * (dz_[at + i] - mean_[i]);
  std::fill(change_.begin(), change_.end(), 0.0);
  const ClassLane lane = {h_.data() + at, change_.data(), pull_.data()};
  double decrease = 0.0;
  std::size_t work = 0;
  for (std::size_t c = first_[k]; c < first_[k + 1]; ++c) {
    const ClassCoordinate& here = coordinate_[c];
    const double move = model.X.descend(here, out.x[c], lane);
    out.x[c] = here.g.clip(out.x[c] + move);  // the sum may round to beyond a bound
    decrease += 0.5 * (here.h + here.damping + here.g.m) * move * move;
    if ((work += model.X.entries(static_cast<std::size_t>(here.column))) > kCheckEntries)
      watch.check(), work = 0;
  }
  if (model.problem.intercept) decrease += sweep_intercept(k, out);
  for (std::size_t i = 0; i < n; ++i) {
    dz_[at + i] += change_[i];
    mean_[i] += p_[at + i] * change_[i];
  }
  return decrease;
}

double ResidualModel::sweep_intercept(std::size_t k, ModelStep& out) {
  if (!(total_[k] > 0.0)) return 0.0;
  double u = 0.0;
  for (const double pull : pull_) u += pull;
  const double move = u / total_[k];
  for (double& change : change_) change += move;
  out.shift[k] += move;
  return 0.5 * total_[k] * move * move;
}

}  // namespace banditcd::multinomial
