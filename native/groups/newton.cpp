#include "groups/newton.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "quadratic/conjugate_gradients.hpp"

namespace banditcd::groups {
namespace {

constexpr double kPivot = 1e-12;  // of the diagonal
// Where a matrix is singular its diagonal grows: by a share of the penalty's own curvature, which
// may be far below that of the loss; by one of the whole; and by a larger one if that is no help,
// or if a block has no penalty at all, so that nothing else keeps its coefficients small.
constexpr double kSlack = 1e-4, kLeastRidge = 1e-12, kRidge = 1e-7;
// Conjugate gradients: until the residual is this share of the gradient; products with X'X.
constexpr double kForcing = 1e-3, kExpectedProducts = 30.0;
constexpr std::size_t kMostProducts = 300;
constexpr int kBisections = 80;
constexpr double kWholeStep = 0.999;  // close to the optimum the rest is rounding

double slackened(double value, double ridge) {
  return ridge > 0.0 ? (1.0 + kSlack) * value : value;
}

double square_of(const Model& model, std::size_t t) {
  const Pool& pool = model.pool();
  double sum = 0.0;
  for (std::size_t k = 0; k < pool.tasks(); ++k) {
    const double* x = model.x().data() + model.place(k, pool.first(t));
    for (std::size_t i = 0; i < pool.width(t); ++i) sum += x[i] * x[i];
  }
  return sum;
}

}  // namespace

double Newton::cost(const Model& model) {
  const Pool& pool = model.pool();
  std::size_t rows = 0;
  for (std::size_t t = 0; t < pool.blocks(); ++t)
    if (!model.zero(t)) rows += pool.width(t);
  const double product = static_cast<double>(rows) * model.column_cost();
  if (!model.in_gram_space()) return kExpectedProducts * product;
  // The inverse of several tasks takes as long as six factorizations.
  return (pool.tasks() == 1 ? 1.0 : 7.0) * factor_cost(rows) + product;
}

bool Newton::step(Model& model, Watch& watch) {
  if (!choose(model)) return false;
  gradient(model, watch);
  if (!(!model.in_gram_space() ? conjugate(model, watch)
        : tasks_ == 1          ? direct(model, watch)
                               : woodbury(model, watch)))
    return false;
  ++steps_;
  return advance(model, watch);
}

bool Newton::choose(const Model& model) {
  const Pool& pool = model.pool();
  tasks_ = pool.tasks();
  rows_ = 0;
  blocks_.clear();
  position_.clear();
  for (std::size_t t = 0; t < pool.blocks(); ++t) {
    const double norm = std::sqrt(square_of(model, t));
    if (norm == 0.0) continue;
    blocks_.push_back({t, rows_, pool.width(t), pool.penalty(t).l / norm, norm});
    for (std::size_t i = 0; i < pool.width(t); ++i) position_.push_back(pool.first(t) + i);
    rows_ += pool.width(t);
  }
  return rows_ > 0;
}

void Newton::gradient(Model& model, Watch& watch) {
  const std::vector<double>& c = model.all_correlations(watch);
  unit_.resize(rows_ * tasks_);
  minus_gradient_.resize(rows_ * tasks_);
  for (const Block& block : blocks_) {
    const Penalty& g = model.pool().penalty(block.t);
    for (std::size_t k = 0; k < tasks_; ++k)
      for (std::size_t i = block.at; i < block.at + block.p; ++i) {
        const std::size_t from = model.place(k, position_[i]);
        const double w = model.x()[from];
        unit_[k * rows_ + i] = w / block.norm;
        minus_gradient_[k * rows_ + i] = c[from] - (block.slope + g.m) * w;
      }
  }
}

// The lower triangle of M, and of the Hessian of one task if the rest is taken off, too.
void Newton::fill(const Model& model, bool with_rank_one, double ridge) {
  factor_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double* gram = model.pool().gram(position_[i]);
    double* row = factor_.row(i);
    for (std::size_t j = 0; j <= i; ++j) row[j] = gram[position_[j]];
  }
  for (const Block& block : blocks_) {
    const double m = model.pool().penalty(block.t).m;
    for (std::size_t i = block.at; i < block.at + block.p; ++i) {
      double* row = factor_.row(i);
      row[i] += slackened(block.slope, ridge) + m;
      for (std::size_t j = block.at; with_rank_one && j <= i; ++j)
        row[j] -= block.slope * unit_[i] * unit_[j];
      row[i] *= 1.0 + (block.slope + m > 0.0 || ridge == 0.0 ? ridge : kRidge);
    }
  }
}

// Factors what fill writes for a ridge: none, or the least that makes the matrix regular.
template <class Fill>
bool Newton::factor(Cholesky& matrix, Fill&& fill, Watch& watch) {
  fill(0.0);
  if (matrix.factor(kPivot, watch)) return true;
  fill(kLeastRidge);
  if (matrix.factor(0.0, watch)) return true;
  fill(kRidge);
  return matrix.factor(0.0, watch);
}

bool Newton::direct(const Model& model, Watch& watch) {
  if (!factor(factor_, [&](double ridge) { fill(model, true, ridge); }, watch)) return false;
  factor_.solve(minus_gradient_.data());
  return true;
}

bool Newton::invert(const Model& model, Watch& watch) {
  if (!factor(factor_, [&](double ridge) { fill(model, false, ridge); }, watch)) return false;
  inverse_.assign(rows_ * rows_, 0.0);
  for (std::size_t i = 0; i < rows_; ++i) {
    double* row = inverse_.data() + i * rows_;
    row[i] = 1.0;
    factor_.solve(row);
    if (i % 16 == 0) watch.check();
  }
  return true;
}

// 1 / a_g - <w^_g, M^-1 w^_h> over the groups with a penalty.
void Newton::fill_rest(double ridge, Watch& watch) {
  rest_.resize(blocks_.size());
  std::vector<double> products(rows_);
  for (std::size_t a = 0; a < blocks_.size(); ++a) {
    std::fill_n(rest_.row(a), blocks_.size(), 0.0);
    for (std::size_t i = blocks_[a].at; i < blocks_[a].at + blocks_[a].p; ++i) {
      std::fill(products.begin(), products.end(), 0.0);
      for (std::size_t k = 0; k < tasks_; ++k)
        axpy(unit_[k * rows_ + i], unit_.data() + k * rows_, products.data(),
             blocks_[a].at + blocks_[a].p);
      for (std::size_t b = 0; b <= a; ++b)
        for (std::size_t j = blocks_[b].at; j < blocks_[b].at + blocks_[b].p; ++j)
          rest_.row(a)[b] -= inverse_[i * rows_ + j] * products[j];
    }
    const double slope = blocks_[a].slope;
    rest_.row(a)[a] += slope > 0.0 ? slackened(1.0 / slope, ridge) : 1e300;
    watch.check();
  }
}

// H^-1 = M^-1 + M^-1 U (A^-1 - U' M^-1 U)^-1 U' M^-1.
bool Newton::woodbury(const Model& model, Watch& watch) {
  if (!invert(model, watch)) return false;
  if (!factor(rest_, [&](double ridge) { fill_rest(ridge, watch); }, watch)) return false;
  std::vector<double> pull(blocks_.size(), 0.0), along(rows_);
  for (std::size_t k = 0; k < tasks_; ++k) {
    double* y = minus_gradient_.data() + k * rows_;
    factor_.solve(y);
    for (std::size_t a = 0; a < blocks_.size(); ++a)
      pull[a] += dot(unit_.data() + k * rows_ + blocks_[a].at, y + blocks_[a].at, blocks_[a].p);
  }
  rest_.solve(pull.data());
  for (std::size_t k = 0; k < tasks_; ++k) {
    for (const Block& block : blocks_)
      for (std::size_t i = block.at; i < block.at + block.p; ++i)
        along[i] = pull[static_cast<std::size_t>(&block - blocks_.data())] * unit_[k * rows_ + i];
    factor_.solve(along.data());
    for (std::size_t i = 0; i < rows_; ++i) minus_gradient_[k * rows_ + i] += along[i];
  }
  return true;
}

// H v = X'X v + (a + m) v - a w^ <w^, v>, from two looks at the columns.
bool Newton::conjugate(Model& model, Watch& watch) {
  const std::size_t size = rows_ * tasks_;
  LinearSystem system;
  system.size = size;
  system.apply = [&](const double* v, double* out) {
    spread(model, v);
    const std::vector<double>& product = model.multiply(direction_, watch);
    for (const Block& block : blocks_) {
      const double m = model.pool().penalty(block.t).m;
      double along = 0.0;
      for (std::size_t k = 0; k < tasks_; ++k)
        along += dot(unit_.data() + k * rows_ + block.at, v + k * rows_ + block.at, block.p);
      for (std::size_t k = 0; k < tasks_; ++k)
        for (std::size_t i = block.at; i < block.at + block.p; ++i) {
          const std::size_t at = k * rows_ + i;
          out[at] = product[model.place(k, position_[i])] + (block.slope + m) * v[at] -
                    block.slope * along * unit_[at];
        }
    }
  };
  system.inverse_diagonal.resize(size);
  for (const Block& block : blocks_) {
    const double h =
        model.pool().spectrum(block.t).largest() + block.slope + model.pool().penalty(block.t).m;
    for (std::size_t k = 0; k < tasks_; ++k)
      std::fill_n(system.inverse_diagonal.data() + k * rows_ + block.at, block.p, 1.0 / h);
  }
  std::vector<double> out(size, 0.0);
  const double enough =
      kForcing * kForcing * dot(minus_gradient_.data(), minus_gradient_.data(), size);
  conjugate_gradients(system, minus_gradient_.data(), out.data(), [&](const Progress& at) {
    return at.products >= kMostProducts || dot(at.residual, at.residual, size) <= enough;
  });
  minus_gradient_.swap(out);
  return true;
}

void Newton::spread(const Model& model, const double* rows) {
  direction_.assign(model.pool().size() * tasks_, 0.0);
  for (std::size_t k = 0; k < tasks_; ++k)
    for (std::size_t i = 0; i < rows_; ++i)
      direction_[model.place(k, position_[i])] = rows[k * rows_ + i];
}

// The slope of the objective on the way, which rises with the step.
double Newton::slope_at(const Model& model, double step, double along, double curvature) const {
  double sum = step * curvature - along;
  for (const Block& block : blocks_) {
    double square = 0.0, inner = 0.0;
    for (std::size_t k = 0; k < tasks_; ++k)
      for (std::size_t i = block.at; i < block.at + block.p; ++i) {
        const std::size_t at = model.place(k, position_[i]);
        const double d = direction_[at], w = model.x()[at] + step * d;
        square += w * w;
        inner += w * d;
      }
    const Penalty& g = model.pool().penalty(block.t);
    sum += g.m * inner + (square > 0.0 ? g.l * inner / std::sqrt(square) : 0.0);
  }
  return sum;
}

// The whole step, or the best one before it: beyond the place where a block vanishes, the slope
// rises at once, and where the matrix is singular such places are all that ends the step.
bool Newton::advance(Model& model, Watch& watch) {
  spread(model, minus_gradient_.data());
  const std::vector<double>& c = model.all_correlations(watch);
  const double along = dot(direction_.data(), c.data(), c.size());
  const std::vector<double>& product = model.multiply(direction_, watch);
  const double curvature = dot(direction_.data(), product.data(), product.size());
  if (!std::isfinite(along) || !std::isfinite(curvature)) return false;
  double low = 0.0, high = 1.0;
  if (slope_at(model, 1.0, along, curvature) <= 0.0) low = 1.0;
  for (int k = 0; k < kBisections && low < high && low < 1.0; ++k) {
    const double middle = 0.5 * (low + high);
    (slope_at(model, middle, along, curvature) <= 0.0 ? low : high) = middle;
    if (low > kWholeStep) low = 1.0;
  }
  if (low == 0.0) return false;
  model.advance(direction_, low);
  return true;
}

}  // namespace banditcd::groups
