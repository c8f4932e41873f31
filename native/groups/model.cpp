#include "groups/model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "solve/strategy.hpp"

namespace banditcd::groups {

void BlockTerms::clear() {
  block.clear();
  term.clear();
  excess = 0.0;
}

void BlockTerms::add(Index g, double inner, double coef_norm, double norm, const Penalty& penalty) {
  if (coef_norm == 0.0 && norm < kNearThreshold * penalty.l) return;
  const double along = norm > 0.0 ? inner / norm : 0.0;
  block.push_back(g);
  term.push_back({along, norm, penalty});
  excess += std::max(0.0, penalty.value(coef_norm) - penalty.value(along));
}

bool Model::zero(std::size_t t) const {
  const std::size_t first = pool_->first(t), p = pool_->width(t);
  for (std::size_t k = 0; k < pool_->tasks(); ++k)
    for (std::size_t i = first; i < first + p; ++i)
      if (x_[place(k, i)] != 0.0) return false;
  return true;
}

bool Model::free_blocks_are_orthogonal() const {
  for (std::size_t t = 0; square_ && t < terms_.term.size(); ++t)
    if (!orthogonal_if_free(terms_.term[t].u, terms_.term[t].g, (*square_)[terms_.block[t]],
                            null_square_))
      return false;
  return true;
}

Certificate Model::certify(Watch& watch) {
  const std::vector<double>& c = all_correlations(watch);
  terms_.clear();
  for (std::size_t t = 0; t < pool_->blocks(); ++t)
    terms_.add(
        *pool_, t, [&](std::size_t k, std::size_t i) { return x_[place(k, i)]; },
        [&](std::size_t k, std::size_t i) { return c[place(k, i)]; });
  Certificate out = banditcd::certify(terms_.term, square());
  out.primal += terms_.excess;
  out.gap = free_blocks_are_orthogonal() ? out.gap + terms_.excess : kInfinity;
  return out;
}

void GramModel::start(const Pool& pool, const std::vector<double>& x, const std::vector<double>& c,
                      double square) {
  Model::start(pool, x);
  c_ = start_c_ = c;
  start_x_ = x;
  start_square_ = square;
}

void GramModel::correlations(std::size_t t, double* out) {
  const std::size_t p = pool().width(t);
  for (std::size_t k = 0; k < pool().tasks(); ++k)
    std::copy_n(c_.data() + place(k, pool().first(t)), p, out + k * p);
}

void GramModel::move(std::size_t t, const double* delta) {
  const std::size_t size = pool().size(), first = pool().first(t), p = pool().width(t);
  for (std::size_t k = 0; k < pool().tasks(); ++k) {
    double* c = c_.data() + k * size;
    const double* d = delta + k * p;
    std::size_t i = 0;
    for (; i + 4 <= p; i += 4) {
      const double step[4] = {-d[i], -d[i + 1], -d[i + 2], -d[i + 3]};
      const double* rows[4] = {pool().gram(first + i), pool().gram(first + i + 1),
                               pool().gram(first + i + 2), pool().gram(first + i + 3)};
      axpy4(step, rows, c, size);
    }
    for (; i < p; ++i)
      if (d[i] != 0.0) axpy(-d[i], pool().gram(first + i), c, size);
  }
}

// |R|^2 = |R_0|^2 - <x - x_0, c_0 + c>, since c = c_0 - G (x - x_0).
double GramModel::square() const {
  double sum = start_square_;
  for (std::size_t t = 0; t < c_.size(); ++t) sum -= (x()[t] - start_x_[t]) * (start_c_[t] + c_[t]);
  return std::max(0.0, sum);
}

double GramModel::column_cost() const {
  return static_cast<double>(pool().tasks()) * gram_update(pool().size());
}

const std::vector<double>& GramModel::multiply(const std::vector<double>& direction, Watch& watch) {
  const std::size_t size = pool().size();
  product_.assign(direction.size(), 0.0);
  for (std::size_t k = 0; k < pool().tasks(); ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      const double d = direction[place(k, i)];
      if (d != 0.0) axpy(d, pool().gram(i), product_.data() + k * size, size);
    }
    watch.check();
  }
  return product_;
}

void GramModel::advance(const std::vector<double>& direction, double step) {
  axpy(step, direction.data(), x().data(), x().size());
  axpy(-step, product_.data(), c_.data(), c_.size());
}

void ResidualModel::start(const Pool& pool, const std::vector<double>& x, const Design& design,
                          std::vector<Index> columns, std::vector<double> residual,
                          const Geometry& geometry) {
  Model::start(pool, x);
  design_ = &design;
  columns_ = std::move(columns);
  residual_ = std::move(residual);
  geometry_ = geometry;
  shift_.assign(pool.tasks(), 0.0);
  column_entries_ = static_cast<double>(design.entries()) /
                    std::max<double>(1.0, static_cast<double>(design.cols()));
  entries_read_ = 0.0;
}

void ResidualModel::correlations(std::size_t t, double* out) {
  const std::size_t first = pool().first(t), p = pool().width(t), n = design_->rows();
  count(p);
  for (std::size_t k = 0; k < pool().tasks(); ++k) {
    design_->correlate(columns_.data() + first, p, residual_.data() + k * n, out + k * p,
                       unwatched_);
    for (std::size_t i = 0; geometry_.mean && i < p; ++i)
      out[k * p + i] += shift_[k] * geometry_.total_weight * geometry_.mean[first + i];
  }
}

void ResidualModel::move(std::size_t t, const double* delta) {
  const std::size_t first = pool().first(t), p = pool().width(t), n = design_->rows();
  count(p);
  std::vector<double> minus(p);
  for (std::size_t k = 0; k < pool().tasks(); ++k) {
    for (std::size_t i = 0; i < p; ++i) {
      minus[i] = -delta[k * p + i];
      if (geometry_.mean) shift_[k] += delta[k * p + i] * geometry_.mean[first + i];
    }
    design_->combine(columns_.data() + first, p, minus.data(), residual_.data() + k * n,
                     unwatched_);
  }
}

void ResidualModel::add_constant(double value, double* to) const {
  const std::size_t n = design_->rows();
  for (std::size_t i = 0; value != 0.0 && i < n; ++i)
    to[i] += value * (geometry_.constant ? geometry_.constant[i] : 1.0);
}

// The true residual is residual + shift * constant.
void ResidualModel::center() {
  for (std::size_t k = 0; k < shift_.size(); ++k) {
    add_constant(shift_[k], residual_.data() + k * design_->rows());
    shift_[k] = 0.0;
  }
}

const std::vector<double>& ResidualModel::all_correlations(Watch& watch) {
  const std::size_t size = pool().size(), n = design_->rows();
  center();
  count(size);
  c_.resize(size * pool().tasks());
  for (std::size_t k = 0; k < pool().tasks(); ++k)
    design_->correlate(columns_.data(), size, residual_.data() + k * n, c_.data() + k * size,
                       watch);
  return c_;
}

// Columns that the direction leaves where they are, often half of the pool, are not read.
const std::vector<double>& ResidualModel::multiply(const std::vector<double>& direction,
                                                   Watch& watch) {
  const std::size_t n = design_->rows();
  places_.clear();
  moving_.clear();
  for (std::size_t i = 0; i < pool().size(); ++i)
    for (std::size_t k = 0; k < pool().tasks(); ++k) {
      if (direction[place(k, i)] == 0.0) continue;
      places_.push_back(i);
      moving_.push_back(columns_[i]);
      break;
    }
  count(2 * moving_.size());
  moved_.assign(n * pool().tasks(), 0.0);
  product_.assign(direction.size(), 0.0);
  std::vector<double> values(moving_.size());
  for (std::size_t k = 0; k < pool().tasks(); ++k) {
    double* to = moved_.data() + k * n;
    double shift = 0.0;
    for (std::size_t t = 0; t < values.size(); ++t) {
      values[t] = direction[place(k, places_[t])];
      if (geometry_.mean) shift -= values[t] * geometry_.mean[places_[t]];
    }
    design_->combine(moving_.data(), moving_.size(), values.data(), to, watch);
    add_constant(shift, to);
    design_->correlate(moving_.data(), moving_.size(), to, values.data(), watch);
    for (std::size_t t = 0; t < values.size(); ++t) product_[place(k, places_[t])] = values[t];
  }
  return product_;
}

void ResidualModel::advance(const std::vector<double>& direction, double step) {
  axpy(step, direction.data(), x().data(), x().size());
  axpy(-step, moved_.data(), residual_.data(), residual_.size());
}

double ResidualModel::square() const {
  return dot(residual_.data(), residual_.data(), residual_.size());
}

double ResidualModel::column_cost() const {
  return 2.0 * static_cast<double>(pool().tasks()) * column_entries_ *
         column_entry(design_->sparse());
}

}  // namespace banditcd::groups
