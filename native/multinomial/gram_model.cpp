#include "multinomial/gram_model.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "kernels/tiles.hpp"
#include "kernels/vector.hpp"

namespace banditcd::multinomial {
namespace {

constexpr double kPivot = 1e-14;
constexpr double kLeastMet = 0.05;           // of the curvature that a matrix has along a step
constexpr double kLeastProbability = 1e-12;  // of the true class, in the square of the model

}  // namespace

double GramModel::cost(std::size_t rows, std::size_t size) {
  return 1.5 * product_cost(rows, size);
}

void GramModel::minimize(const ModelProblem& model, ModelStep& out, Watch& watch) {
  const Pool& pool = model.pool;
  const std::size_t size = pool.size();
  find_pulls(model);
  before_ = c_;
  from_ = pool.x;
  q_.assign(c_.begin(), c_.end());
  out.x = pool.x;
  for (std::size_t c = 0; c < size; ++c)
    if (out.x[c] != 0.0) axpy(out.x[c], gram_.data() + c * stride_, q_.data(), size);
  Quadratic view{size, stride_, gram_.data(), q_.data(), pool.g.data(), out.x.data(), c_.data()};
  // theta^T H^+ theta = sum_i s_i (1 / p_i,y - 1)
  const Problem& problem = model.problem;
  for (std::size_t i = 0; i < problem.count(); ++i) {
    const double p = model.point.p[i * problem.width() + problem.rows.label[i]];
    view.square += problem.weight(i) * (1.0 / std::max(p, kLeastProbability) - 1.0);
  }
  for (std::size_t c = 0; c < size; ++c) view.square += out.x[c] * (q_[c] + c_[c]);
  // Far from the optimum the model promises less than the gap is large. The matrix of a sample is
  // there for several steps, and each of them should be worth its passes.
  const double gap = view.certificate(terms_).gap;
  const double wanted =
      model.step > 1 ? kSampledModel * gap : std::min(model.gap, kModelShare * gap);
  inner_.solve(view, wanted, problem.count() * (problem.classes() - 1), watch);
  find_shift(model, out);
}

void GramModel::learn(const ModelProblem& model) {
  const std::size_t size = model.pool.size();
  find_pulls(model);
  std::vector<double> step(size), change(size);
  for (std::size_t c = 0; c < size; ++c) {
    step[c] = model.pool.x[c] - from_[c];
    change[c] = before_[c] - c_[c];
  }
  product_.assign(size, 0.0);
  for (std::size_t c = 0; c < size; ++c)
    if (step[c] != 0.0) axpy(step[c], gram_.data() + c * stride_, product_.data(), size);
  const double had = dot(step.data(), product_.data(), size);
  const double met = dot(step.data(), change.data(), size);
  if (!(met > kLeastMet * had) || !(had > 0.0)) return;
  for (std::size_t c = 0; c < size; ++c) {
    double* row = gram_.data() + c * stride_;
    axpy(change[c] / met, change.data(), row, size);
    axpy(-product_[c] / had, product_.data(), row, size);
  }
}

// Correlations as they are once the intercepts have followed: balanced ones stay where they are.
void GramModel::find_pulls(const ModelProblem& model) {
  c_.assign(model.pool.u.begin(), model.pool.u.end());
  pull_.assign(free_, 0.0);
  if (model.step == 1 || free_ == 0) return;
  const std::size_t width = model.problem.width(), size = model.pool.size();
  for (std::size_t i = 0; i < model.problem.count(); ++i)
    for (std::size_t f = 0; f < free_; ++f) pull_[f] += model.point.theta[i * width + f];
  std::vector<double> move = pull_;
  intercepts_.solve(move.data());
  for (std::size_t f = 0; f < free_; ++f)
    axpy(-move[f], border_.data() + f * size, c_.data(), size);
}

// The lower triangle by blocks of rows, then the whole.
void GramModel::fill(const ModelProblem& model, Watch& watch) {
  const std::size_t size = model.pool.size();
  free_ = model.problem.intercept ? model.problem.classes() - 1 : 0;
  const std::size_t all = size + free_, block = std::min(kGramRows, model.rows());
  stride_ = padded(all);
  lane_ = padded(block);
  gram_.reserve(stride_ * stride_);
  packed_.reserve(all * lane_);
  std::fill(gram_.data(), gram_.data() + stride_ * stride_, 0.0);
  diagonal_.clear();
  for (std::size_t i = 0; i < model.rows(); i += block) {
    add_block(model, i, std::min(block, model.rows() - i));
    watch.check();
  }
  // What is added to all classes of a column has no curvature.
  for (std::size_t c = 0; c < size; ++c) diagonal_.push_back(gram_.data()[c * stride_ + c]);
  take_out_intercepts(size, watch);
  for (std::size_t c = 0; c < size; ++c)
    gram_.data()[c * stride_ + c] += model.damping * diagonal_[c];
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t c = 0; c < r; ++c)
      gram_.data()[c * stride_ + r] = gram_.data()[r * stride_ + c];
}

void GramModel::add_block(const ModelProblem& model, std::size_t first, std::size_t count) {
  const std::size_t size = model.pool.size(), all = size + free_;
  for (std::size_t c = 0; c < all; ++c) pack(model, c, first, count, false);
  const PackedRows columns = {packed_.data(), lane_, all};
  add_products(columns, columns, lane_, -1.0, gram_.data(), stride_, Part::kDiagonal);
  for (std::size_t c = 0; c < all; ++c) pack(model, c, first, count, true);
  // Coordinates of one class follow each other; the intercepts meet their own class only.
  const auto add = [&](std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end) {
    add_products({packed_.data() + a * lane_, lane_, a_end - a},
                 {packed_.data() + b * lane_, lane_, b_end - b}, lane_, 1.0,
                 gram_.data() + b * stride_ + a, stride_);
  };
  for (std::size_t from = 0; from < size;) {
    std::size_t to = from;
    const std::int32_t label = model.pool.label[from];
    while (to < size && model.pool.label[to] == label) ++to;
    add(from, to, from, to);
    const std::size_t own = size + static_cast<std::size_t>(label);
    if (own < all) add(from, to, own, own + 1);
    from = to;
  }
  for (std::size_t own = size; own < all; ++own) add(own, own + 1, own, own + 1);
}

// x_j s^1/2 p_k, or with the root of p_k; zeros behind the last row.
void GramModel::pack(const ModelProblem& model, std::size_t c, std::size_t first, std::size_t count,
                     bool root) {
  const std::size_t size = model.pool.size();
  const std::size_t label = c < size ? static_cast<std::size_t>(model.pool.label[c]) : c - size;
  factor_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double p = model.probability(first + i, label);
    factor_[i] = model.plain() ? 1.0 : std::sqrt(model.weight(first + i));
    factor_[i] *= root ? std::sqrt(p) : p;
  }
  double* to = packed_.data() + c * lane_;
  if (c < size)
    model.X.pack(static_cast<std::size_t>(model.pool.column[c]), first, count, factor_.data(), to);
  else
    std::copy(factor_.begin(), factor_.end(), to);
  std::fill(to + count, to + lane_, 0.0);
}

// G - B^T F^-1 B for the rows B and the block F of the intercepts.
void GramModel::take_out_intercepts(std::size_t size, Watch& watch) {
  border_.assign(free_ * size, 0.0);
  if (free_ == 0) return;
  intercepts_.resize(free_);
  for (std::size_t f = 0; f < free_; ++f) {
    const double* row = gram_.data() + (size + f) * stride_;
    std::copy_n(row, size, border_.data() + f * size);
    std::copy_n(row + size, f + 1, intercepts_.row(f));
  }
  if (!intercepts_.factor(kPivot, watch)) {
    std::fill(border_.begin(), border_.end(), 0.0);
    for (std::size_t f = 0; f < free_; ++f)
      for (std::size_t g = 0; g <= f; ++g) intercepts_.row(f)[g] = f == g ? 1.0 : 0.0;
    return;
  }
  std::vector<double> half(border_);  // L^-1 B
  for (std::size_t f = 0; f < free_; ++f) {
    double* row = half.data() + f * size;
    for (std::size_t g = 0; g < f; ++g)
      axpy(-intercepts_.row(f)[g], half.data() + g * size, row, size);
    for (std::size_t c = 0; c < size; ++c) row[c] /= intercepts_.row(f)[f];
    for (std::size_t r = 0; r < size; ++r) axpy(-row[r], row, gram_.data() + r * stride_, r + 1);
  }
}

void GramModel::find_shift(const ModelProblem& model, ModelStep& out) const {
  const std::size_t size = model.pool.size();
  out.shift.assign(model.problem.width(), 0.0);
  if (free_ == 0) return;
  std::copy(pull_.begin(), pull_.end(), out.shift.begin());
  for (std::size_t f = 0; f < free_; ++f)
    for (std::size_t c = 0; c < size; ++c)
      out.shift[f] -= border_[f * size + c] * (out.x[c] - model.pool.x[c]);
  intercepts_.solve(out.shift.data());
}

}  // namespace banditcd::multinomial
