#include "elastic_net/pool.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd::elastic_net {

void Pool::reset(std::size_t cols, std::size_t max_bytes) {
  limit_ = static_cast<std::size_t>(std::sqrt(static_cast<double>(max_bytes) / sizeof(double)));
  column_.clear();
  q_.clear();
  x_.clear();
  c_.clear();
  g_.clear();
  place_.assign(cols, -1);
}

void Pool::ensure_capacity(std::size_t size) {
  if (size <= stride_) return;
  const std::size_t grown = std::min(padded(std::max(size, size + stride_ / 2)), padded(limit_));
  const std::size_t stride = std::max(grown, padded(size));
  AlignedBuffer larger;
  larger.reserve(stride * stride);
  for (std::size_t j = 0; j < column_.size(); ++j)
    std::copy_n(gram_.data() + j * stride_, column_.size(), larger.data() + j * stride);
  gram_.swap(larger);
  stride_ = stride;
}

// The columns of the pool and the new ones, with room for their Gram matrix.
std::vector<Index> Pool::with(const std::vector<Index>& columns) {
  ensure_capacity(size() + columns.size());
  std::vector<Index> all = column_;
  all.insert(all.end(), columns.begin(), columns.end());
  return all;
}

// What the Gram matrix of these columns lacks.
GramRequest Pool::block_of(const std::vector<Index>& columns) {
  return {columns.data(), size(), columns.size(), gram_.data(), stride_};
}

std::size_t Pool::append(Design& design, const Rowspace& space, const ColumnFacts& facts,
                         const std::vector<Index>& columns, const double* correlation,
                         Watch& watch) {
  const std::vector<Index> wanted = with(columns);
  const std::size_t read = design.append_gram(space, facts.mean.data(), block_of(wanted), watch);
  admit(facts, columns, correlation);
  return read;
}

std::size_t Pool::append_rough(Design& design, const ColumnFacts& facts,
                               const std::vector<Index>& columns, const double* correlation,
                               Watch& watch) {
  const std::vector<Index> wanted = with(columns);
  const std::size_t read = design.append_rough_gram(facts, block_of(wanted), watch);
  admit(facts, columns, correlation);
  rough_ = true;
  return read;
}

std::size_t Pool::make_exact(Design& design, const Rowspace& space, const ColumnFacts& facts,
                             double square, Watch& watch) {
  const std::size_t read = design.append_gram(
      space, facts.mean.data(), {column_.data(), 0, size(), gram_.data(), stride_}, watch);
  for (std::size_t t = 0; t < size(); ++t) {
    gram_.data()[t * stride_ + t] = facts.square[column_[t]];
    q_[t] = facts.correlation[column_[t]];
  }
  square_ = square;
  rough_ = false;
  problem().recompute();
  return read;
}

// Columns whose Gram entries are there.
void Pool::admit(const ColumnFacts& facts, const std::vector<Index>& columns,
                 const double* correlation) {
  for (std::size_t t = 0; t < columns.size(); ++t) {
    const std::size_t place = column_.size();
    place_[columns[t]] = static_cast<std::int32_t>(place);
    column_.push_back(columns[t]);
    enter(facts, columns[t], correlation[t]);
    // The survey knows the square more accurately than a centered product does.
    gram_.data()[place * stride_ + place] = facts.square[columns[t]];
  }
}

void Pool::enter(const ColumnFacts& facts, Index j, double correlation) {
  q_.push_back(facts.correlation[j]);
  x_.push_back(0.0);
  c_.push_back(correlation);
  g_.push_back(penalties_.at(j));
}

void Pool::append_bare(const ColumnFacts& facts, const std::vector<Index>& columns,
                       const double* correlation) {
  for (std::size_t t = 0; t < columns.size(); ++t) {
    place_[columns[t]] = static_cast<std::int32_t>(column_.size());
    column_.push_back(columns[t]);
    enter(facts, columns[t], correlation[t]);
  }
}

void Pool::drop_gram() {
  AlignedBuffer nothing;
  gram_.swap(nothing);
  stride_ = 0;
}

void Pool::rebase(const double* correlation, double residual2) {
  std::copy_n(correlation, size(), c_.begin());
  std::copy_n(correlation, size(), q_.begin());
  for (std::size_t j = 0; j < size(); ++j)
    if (x_[j] != 0.0) axpy(x_[j], gram_.data() + j * stride_, q_.data(), size());
  square_ = residual2;
  for (std::size_t j = 0; j < size(); ++j) square_ += x_[j] * (q_[j] + c_[j]);
}

void Pool::set_penalties(const Penalties& penalties) {
  penalties_ = penalties;
  for (std::size_t t = 0; t < size(); ++t) g_[t] = penalties.at(column_[t]);
}

Quadratic Pool::problem() {
  Quadratic view;
  view.size = size();
  view.stride = stride_;
  view.gram = gram_.data();
  view.q = q_.data();
  view.g = g_.data();
  view.x = x_.data();
  view.c = c_.data();
  view.square = square_;
  view.rough = rough_;
  return view;
}

}  // namespace banditcd::elastic_net
