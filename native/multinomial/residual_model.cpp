#include "multinomial/residual_model.hpp"

#include <algorithm>

namespace banditcd::multinomial {
namespace {

constexpr int kEpochs = 200;
constexpr double kShare = 0.02;                 // of the decrease so far: what an epoch must bring
constexpr std::size_t kCheckEntries = 1 << 17;  // between two looks at the watch

}  // namespace

void ResidualModel::solve(const ModelProblem& model, ModelStep& out, Watch& watch) {
  fill(model, watch);
  out.x = model.pool.x;
  out.shift.assign(model.problem.width(), 0.0);
  double total = 0.0;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    double decrease = sweep(model, out, watch);
    if (model.problem.intercept) decrease += sweep_intercepts(model, out);
    total += decrease;
    if (decrease <= kShare * total || decrease <= 0.1 * model.gap) break;
  }
}

void ResidualModel::fill(const ModelProblem& model, Watch& watch) {
  const Problem& problem = model.problem;
  const std::size_t classes = problem.classes(), width = problem.width();
  cell_.resize(problem.count() * classes);
  mean_.assign(problem.count(), 0.0);
  total_.assign(classes, 0.0);
  AlignedVector curvature(problem.values(), 0.0);
  for (std::size_t i = 0; i < problem.count(); ++i)
    for (std::size_t k = 0; k < classes; ++k) {
      const double s = problem.weight(i), p = model.point.p[i * width + k];
      cell_[i * classes + k] = {model.point.theta[i * width + k], s * p, p, 0.0};
      total_[k] += curvature[i * width + k] = s * p * (1.0 - p);
    }
  coordinate_.resize(model.pool.size());
  std::size_t work = 0;
  for (std::size_t c = 0; c < coordinate_.size(); ++c) {
    const Index j = model.pool.column[c];
    const std::int32_t k = model.pool.label[c];
    const auto column = static_cast<std::size_t>(j);
    coordinate_[c] = {j, k, model.pool.g[c],
                      model.X.weighted_square(column, curvature.data() + k, width)};
    if ((work += model.X.entries(column)) > kCheckEntries) watch.check(), work = 0;
  }
}

// Returns the decrease of the model, from what the steps alone tell.
double ResidualModel::sweep(const ModelProblem& model, ModelStep& out, Watch& watch) {
  double decrease = 0.0;
  std::size_t work = 0;
  for (std::size_t c = 0; c < coordinate_.size(); ++c) {
    const ClassCoordinate& at = coordinate_[c];
    const double move =
        model.X.descend(at, out.x[c], model.problem.classes(), cell_.data(), mean_.data());
    out.x[c] += move;
    decrease += 0.5 * (at.h + at.g.m) * move * move;
    if ((work += model.X.entries(static_cast<std::size_t>(at.column))) > kCheckEntries)
      watch.check(), work = 0;
  }
  return decrease;
}

double ResidualModel::sweep_intercepts(const ModelProblem& model, ModelStep& out) {
  const std::size_t classes = model.problem.classes();
  double decrease = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    double u = 0.0;
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      const ClassCell& c = cell_[i * classes + k];
      u += c.pull - c.curvature * (c.change - mean_[i]);
    }
    if (!(total_[k] > 0.0)) continue;
    const double move = u / total_[k];
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      ClassCell& c = cell_[i * classes + k];
      c.change += move;
      mean_[i] += c.share * move;
    }
    out.shift[k] += move;
    decrease += 0.5 * total_[k] * move * move;
  }
  return decrease;
}

}  // namespace banditcd::multinomial
