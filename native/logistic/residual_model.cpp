#include "logistic/residual_model.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/vector.hpp"
#include "logistic/curvature_rows.hpp"

namespace banditcd::logistic {
namespace {

constexpr int kGradientSteps = 10;       // a model is minimized roughly; more epochs cost less
constexpr double kLeastProgress = 0.03;  // of the decrease so far, in two epochs

}  // namespace

void ResidualModel::solve(const ModelProblem& problem, WeightedColumns& columns,
                          std::vector<double>& x, Work& work, Watch& watch) {
  const PhaseTimer timer(watch, work.phases.pool);
  const PoolColumns& pool = problem.pool;
  const Rowspace rows = curved_rows(problem.point, columns.centered());
  columns.find_means(problem.design, rows, pool, watch);
  columns.find_squares(problem.design, rows, pool, watch);
  pull_ = problem.point.pull();
  if (rows.centered)
    axpy(-problem.point.totals().pull / rows.total_weight, rows.weight, pull_.data(), rows.rows);
  c_ = pool.c;
  descend({&problem.design, &rows, &columns.facts(), pool.size(), pool.column.data(), pool.g.data(),
           x.data(), c_.data(), pull_.data()},
          problem.wanted, watch);
  work.entries_read += entries_of(problem.design, pool.column);
}

void ResidualModel::pack(const ModelProblem& problem, WeightedColumns& columns) {
  const Point& point = problem.point;
  const std::size_t size = problem.pool.size(), n = problem.design.rows();
  const std::vector<double>&h = point.curvature(), &rho = point.pull();
  const double total = point.totals().curvature;
  const double shift = columns.centered() ? point.totals().pull / total : 0.0;
  root_.resize(n);
  pull_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    root_[i] = std::sqrt(h[i]);
    pull_[i] = h[i] > 0.0 ? rho[i] / root_[i] - shift * root_[i] : 0.0;
  }
  problem.design.scale(problem.pool.column.data(), size, root_.data(), packed_);
  packed_facts_.mean.assign(size, 0.0);
  packed_facts_.square.resize(size);
  position_ = all_columns(size);
  for (std::size_t t = 0; t < size; ++t) {
    const double mean = columns.centered() ? packed_.along[t] / total : 0.0;
    packed_facts_.mean[t] = mean;
    packed_facts_.square[t] = std::max(packed_.square[t] - total * mean * mean, 0.0);
    columns.set_mean(problem.pool.column[t], mean);
  }
}

void ResidualModel::solve_packed(const ModelProblem& problem, WeightedColumns& columns,
                                 std::vector<double>& x, Work& work, Watch& watch) {
  const PhaseTimer timer(watch, work.phases.pool);
  const PoolColumns& pool = problem.pool;
  pack(problem, columns);
  Rowspace rows;
  rows.rows = problem.design.rows();
  rows.constant = root_.data();
  rows.total_weight = problem.point.totals().curvature;
  rows.centered = columns.centered();
  const std::unique_ptr<Design> packed = make_design(packed_, rows.rows);
  packed->set_threads(problem.design.threads());
  c_ = pool.c;
  descend({packed.get(), &rows, &packed_facts_, pool.size(), position_.data(), pool.g.data(),
           x.data(), c_.data(), pull_.data()},
          problem.wanted, watch);
  work.entries_read += static_cast<double>(packed_.entries());
}

void ResidualModel::descend(ResidualProblem problem, const Accuracy& wanted, Watch& watch) {
  problem.gradient_steps = kGradientSteps;
  problem.least_progress = wanted.passing ? kLeastProgress : 0.0;
  residual_.solve(problem, wanted.gap, watch);
}

}  // namespace banditcd::logistic
