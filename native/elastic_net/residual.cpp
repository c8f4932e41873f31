#include "elastic_net/residual.hpp"

#include <algorithm>

#include "kernels/vector.hpp"

namespace banditcd::elastic_net {

void Residual::start(const TrainingData& data) {
  value_ = data.y();
  if (data.fit().sample_weight) data.weigh(value_, weighted_);
  square_ = data.null_square();
  intercept_ = data.y_mean();
}

void Residual::refresh(TrainingData& data, const Pool& pool, Watch& watch) {
  std::vector<Index> support;
  std::vector<double> coef;
  double shift = 0.0;
  for (std::size_t t = 0; t < pool.size(); ++t) {
    if (pool.x()[t] == 0.0) continue;
    support.push_back(pool.columns()[t]);
    coef.push_back(-pool.x()[t]);
    shift += pool.x()[t] * data.facts().mean[support.back()];
  }
  data.read(entries_of(data.design(), support));
  buffer_ = data.y();
  data.design().combine(support.data(), support.size(), coef.data(), buffer_.data(), watch);
  value_.swap(buffer_);
  committed_.assign(pool.x(), pool.x() + pool.size());
  intercept_ = data.center(value_, shift, data.y_mean() - shift);
  if (data.fit().sample_weight) data.weigh(value_, weighted_);
  square_ = dot(value_.data(), weighted().data(), value_.size());
  stale_ = false;
}

void Residual::commit_stale(const TrainingData& data, const Pool& pool) {
  committed_.assign(pool.x(), pool.x() + pool.size());
  intercept_ = data.y_mean();
  for (std::size_t t = 0; t < pool.size(); ++t)
    intercept_ -= pool.x()[t] * data.facts().mean[pool.columns()[t]];
  stale_ = true;
}

void Residual::commit_stale(const std::vector<double>& x, double intercept) {
  committed_ = x;
  intercept_ = intercept;
  stale_ = true;
}

std::size_t Residual::support() const {
  return committed_.size() -
         static_cast<std::size_t>(std::count(committed_.begin(), committed_.end(), 0.0));
}

}  // namespace banditcd::elastic_net
