#include "logistic/gram_model.hpp"

#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd::logistic {
namespace {

constexpr std::size_t kEpochs = 300;  // what a model may take that has no progress at all

}  // namespace

void GramModel::fill(const ModelProblem& problem, CurvatureRows& curvature_rows,
                     WeightedColumns& columns, Work& work, Watch& watch) {
  const PoolColumns& pool = problem.pool;
  Design& design = curvature_rows.design(problem.design);
  stride_ = padded(pool.size());
  gram_.reserve(stride_ * stride_);
  Rowspace rows = curvature_rows.space(design, problem.point, pool, columns.centered());
  columns.find_means(design, rows, pool, watch);
  rows_ = rows.rows;
  root_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) root_[i] = std::sqrt(rows.weight[i]);
  rows.root_weight = root_.data();
  const PhaseTimer timer(watch, work.phases.gram);
  work.entries_read += static_cast<double>(
      design.append_gram(rows, columns.facts().mean.data(),
                         {pool.column.data(), 0, pool.size(), gram_.data(), stride_}, watch));
}

void GramModel::solve(const ModelProblem& problem, CurvatureRows& rows, WeightedColumns& columns,
                      std::vector<double>& x, Work& work, Watch& watch) {
  fill(problem, rows, columns, work, watch);
  const PhaseTimer timer(watch, work.phases.pool);
  const PoolColumns& pool = problem.pool;
  const std::size_t size = pool.size();
  c_ = pool.c;
  for (std::size_t t = 0; t < size; ++t)
    c_[t] -= columns.mean(pool.column[t]) * problem.point.totals().pull;
  q_ = c_;
  for (std::size_t t = 0; t < size; ++t)
    if (x[t] != 0.0) axpy(x[t], gram_.data() + t * stride_, q_.data(), size);
  Quadratic view{size,          stride_,  gram_.data(), q_.data(),
                 pool.g.data(), x.data(), c_.data(),    problem.point.model_square()};
  for (std::size_t t = 0; t < size; ++t) view.square += x[t] * (q_[t] + c_[t]);
  const std::size_t before = inner_.epochs();
  inner_.solve(view, problem.wanted.gap, rows_ - (columns.centered() ? 1 : 0), watch);
  if (!(view.certificate(terms_).gap <= problem.wanted.gap))
    given_up_ += (problem.wanted.passing ? 0 : 1) + (inner_.epochs() - before) / kEpochs;
}

}  // namespace banditcd::logistic
