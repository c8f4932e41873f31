#include "logistic/model.hpp"

#include <algorithm>

#include "kernels/prices.hpp"

namespace banditcd::logistic {
namespace {

constexpr double kEpochs = 10.0;  // epochs a model is worth that is minimized without its matrix
// Sparse pools of at most this many columns have a matrix in any case; with kTall times more rows
// than columns epochs are long, and it pays for larger ones.
constexpr std::size_t kMatrixAlways = 64, kTall = 4, kMatrixAlwaysTall = 192;
// Dense columns: a model that is only passed through takes few epochs, and from here on the matrix
// costs more than they do, whatever the number of rows.
constexpr std::size_t kDenseFree = 128;
constexpr double kMostColumns = 0.85;  // a pool with this share of all columns hardly grows

}  // namespace

void Model::solve(const ModelProblem& problem, CurvatureRows& rows, Work& work, Watch& watch) {
  columns_.resize(problem.design.cols());
  x_ = problem.pool.w;
  gram_free_ = !gram_pays(problem);
  // A dense copy is in single precision: not for models that are meant to be the last ones.
  const bool packed =
      gram_free_ && (problem.design.sparse() || problem.wanted.passing) && copy_fits(problem);
  if (packed)
    residual_.solve_packed(problem, columns_, x_, work, watch);
  else if (gram_free_)
    residual_.solve(problem, columns_, x_, work, watch);
  else
    gram_.solve(problem, rows, columns_, x_, work, watch);
}

// The matrix and a factor of it, or many epochs that touch each column of X twice.
bool Model::gram_pays(const ModelProblem& problem) const {
  const Design& design = problem.design;
  const std::size_t size = problem.pool.size();
  if (size > limit_) return false;
  const bool tall = kTall * design.cols() < design.rows();
  const bool most = static_cast<double>(size) > kMostColumns * static_cast<double>(design.cols());
  if (!design.sparse()) return tall || !problem.wanted.passing || most || size < kDenseFree;
  if (!sorted_copy_fits(problem)) return false;
  if (size <= (tall ? kMatrixAlwaysTall : kMatrixAlways)) return true;
  const double entries = entries_of(design, problem.pool.column), k = static_cast<double>(size),
               p = static_cast<double>(problem.pool.support());
  const double gram = design.gram_entry_cost() * 0.5 * k * k + kProduct * p * p * p / 6.0;
  return gram < kEpochs * 2.0 * kSparseEntry * entries;
}

// The matrix of very sparse columns needs their entries by rows, in the room that it has itself.
// Columns without penalty have no other way to their last digits.
bool Model::sorted_copy_fits(const ModelProblem& problem) const {
  const PoolColumns& pool = problem.pool;
  if (!problem.design.thinning_pays(pool.column.data(), pool.size()) || copy_fits(problem))
    return true;
  return std::any_of(pool.g.begin(), pool.g.end(), [](const Penalty& g) { return g.free(); });
}

// A packed copy of the columns has the room that a matrix would have.
bool Model::copy_fits(const ModelProblem& problem) const {
  const double entry =
      problem.design.sparse() ? sizeof(double) + sizeof(std::int32_t) : sizeof(float);
  const double room = static_cast<double>(limit_) * static_cast<double>(limit_) * sizeof(double);
  return entry * entries_of(problem.design, problem.pool.column) <= room;
}

double Model::intercept_step(const Point& point, const PoolColumns& pool) const {
  if (!columns_.centered()) return 0.0;
  double step = point.totals().pull / point.totals().curvature;
  for (std::size_t t = 0; t < pool.size(); ++t)
    step -= columns_.mean(pool.column[t]) * (x_[t] - pool.w[t]);
  return step;
}

}  // namespace banditcd::logistic
