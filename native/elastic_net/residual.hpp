// The residual R = y - b - X w of the committed point, and that point.
//
// A bin works on the coefficients of the pool; they are committed together with their residual,
// which is computed from scratch so that no rounding accumulates. In Gram space points are
// committed without one: the residual is then stale until it is refreshed.
#pragma once
#include <vector>

#include "elastic_net/pool.hpp"
#include "elastic_net/training_data.hpp"
#include "solve/lazy_columns.hpp"

namespace banditcd::elastic_net {

class Residual {
 public:
  // At w = 0, after the survey.
  void start(const TrainingData& data);
  // Commits the coefficients of the pool with their residual.
  void refresh(TrainingData& data, const Pool& pool, Watch& watch);
  // Commits the coefficients of the pool, or others in its order, without their residual.
  void commit_stale(const TrainingData& data, const Pool& pool);
  void commit_stale(const std::vector<double>& x, double intercept);
  // Commits the same coefficients in another order of the pool.
  void commit_again(const Pool& pool) { committed_.assign(pool.x(), pool.x() + pool.size()); }
  // The coefficients of the pool have left the committed ones behind.
  void set_stale() { stale_ = true; }

  bool stale() const { return stale_; }
  ResidualView view() const { return {value_.data(), weighted().data(), square_}; }
  // s R
  const std::vector<double>& weighted() const { return weighted_.empty() ? value_ : weighted_; }
  double square() const { return square_; }  // |R|^2
  double intercept() const { return intercept_; }
  // Committed coefficients in pool order; columns that entered later are at zero.
  const std::vector<double>& coefficients() const { return committed_; }
  double coefficient(std::size_t place) const {
    return place < committed_.size() ? committed_[place] : 0.0;
  }
  std::size_t support() const;

 private:
  std::vector<double> value_, buffer_, committed_;
  std::vector<double> weighted_;  // none if the rows have no weights
  double square_ = 0.0, intercept_ = 0.0;
  bool stale_ = false;
};

}  // namespace banditcd::elastic_net
