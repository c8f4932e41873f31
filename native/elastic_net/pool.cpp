#include "elastic_net/pool.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd::elastic_net {

Pool::Pool(std::size_t cols, std::size_t bytes)
    : bytes_(bytes),
      limit_(static_cast<std::size_t>(
          std::sqrt(static_cast<double>(bytes) / static_cast<double>(sizeof(double))))),
      place_(cols, -1) {}

void Pool::ensure_capacity(std::size_t size, Watch& watch) {
  if (size <= stride_) return;
  const std::size_t grown = std::min(padded(std::max(size, size + stride_ / 2)), padded(limit_));
  const std::size_t stride = std::max(grown, padded(size));
  AlignedBuffer larger;
  larger.reserve(stride * stride);
  for (std::size_t j = 0; j < column_.size(); ++j, watch.check())
    std::copy_n(gram_.data() + j * stride_, column_.size(), larger.data() + j * stride);
  gram_.swap(larger);
  stride_ = stride;
}

void Pool::append(TrainingData& data, const std::vector<Index>& columns, Gram form,
                  const double* correlation, Watch& watch) {
  const ColumnFacts& facts = data.facts();
  if (form == Gram::kNone) {
    gram_ = AlignedBuffer();
    stride_ = 0;
  } else {
    compute_gram(data, columns, form, watch);
  }
  form_ = form;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    const Index j = columns[t];
    const std::size_t place = column_.size();
    place_[j] = static_cast<std::int32_t>(place);
    column_.push_back(j);
    q_.push_back(facts.correlation[j]);
    x_.push_back(0.0);
    c_.push_back(correlation[t]);
    raw_norm_.push_back(data.raw_norm(j));
    g_.push_back(penalties_.at(j));
    // The survey knows the square more accurately than a centered product does.
    if (form != Gram::kNone) gram_.data()[place * stride_ + place] = facts.square[j];
  }
}

// The rows and columns that the Gram matrix lacks for new columns.
void Pool::compute_gram(TrainingData& data, const std::vector<Index>& columns, Gram form,
                        Watch& watch) {
  ensure_capacity(size() + columns.size(), watch);
  std::vector<Index> all = column_;
  all.insert(all.end(), columns.begin(), columns.end());
  const GramRequest block{all.data(), size(), all.size(), gram_.data(), stride_};
  const ColumnFacts& facts = data.facts();
  const std::size_t read =
      form == Gram::kRough
          ? data.design().append_rough_gram(facts, block, watch)
          : data.design().append_gram(data.space(), facts.mean.data(), block, watch);
  data.read(static_cast<double>(read));
}

void Pool::keep_columns_in_use() {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < size(); ++t) {
    place_[column_[t]] = -1;
    if (x_[t] == 0.0 && !g_[t].free()) continue;
    place_[column_[t]] = static_cast<std::int32_t>(kept);
    column_[kept] = column_[t];
    q_[kept] = q_[t];
    x_[kept] = x_[t];
    raw_norm_[kept] = raw_norm_[t];
    c_[kept] = c_[t];
    g_[kept++] = g_[t];
  }
  column_.resize(kept);
  q_.resize(kept);
  x_.resize(kept);
  raw_norm_.resize(kept);
  c_.resize(kept);
  g_.resize(kept);
}

void Pool::make_exact(TrainingData& data, Watch& watch) {
  const ColumnFacts& facts = data.facts();
  const std::size_t read = data.design().append_gram(
      data.space(), facts.mean.data(), {column_.data(), 0, size(), gram_.data(), stride_}, watch);
  data.read(static_cast<double>(read));
  for (std::size_t t = 0; t < size(); ++t) {
    gram_.data()[t * stride_ + t] = facts.square[column_[t]];
    q_[t] = facts.correlation[column_[t]];
  }
  square_ = data.null_square();
  form_ = Gram::kExact;
  problem().recompute(watch);
}

void Pool::set_coefficients(const std::vector<double>& x) {
  std::fill(x_.begin(), x_.end(), 0.0);
  std::copy(x.begin(), x.end(), x_.begin());
}

void Pool::set_correlations(const std::vector<double>& c) {
  std::copy_n(c.begin(), size(), c_.begin());
}

void Pool::rebase(const std::vector<double>& correlation, double residual2, Watch& watch) {
  std::vector<double> q(correlation.data(), correlation.data() + size());
  for (std::size_t j = 0; j < size(); ++j)
    if (x_[j] != 0.0) {
      axpy(x_[j], gram_.data() + j * stride_, q.data(), size());
      watch.check();
    }
  q_.swap(q);
  set_correlations(correlation);
  square_ = residual2;
  for (std::size_t j = 0; j < size(); ++j) square_ += x_[j] * (q_[j] + c_[j]);
}

void Pool::set_penalties(const Penalties& penalties) {
  penalties_ = penalties;
  for (std::size_t t = 0; t < size(); ++t) g_[t] = penalties.at(column_[t]);
}

bool Pool::orthogonal_to_free_columns(const TrainingData& data) const {
  for (std::size_t t = 0; t < size(); ++t)
    if (!orthogonal_if_free(c_[t], g_[t], data.facts().square[column_[t]], data.null_square()))
      return false;
  return true;
}

Quadratic Pool::problem() {
  return {size(),    stride_,   gram_.data(), q_.data(), g_.data(),
          x_.data(), c_.data(), square_,      rough()};
}

}  // namespace banditcd::elastic_net
