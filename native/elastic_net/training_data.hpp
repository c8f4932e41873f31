// X and y of a fit in the geometry of its rows: weighted, and centered if there is an intercept.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "columns/design.hpp"
#include "solve/fit_data.hpp"

namespace banditcd::elastic_net {

class TrainingData {
 public:
  TrainingData(std::unique_ptr<Design> design, const FitData& fit);

  // Everything that depends on the data alone: centers y, then one fused pass for <x_j, y>, |x_j|^2
  // and the means of the columns.
  void survey(Watch& watch);
  // v += shift, and minus its mean if there is an intercept. Returns the constant plus that mean.
  double center(std::vector<double>& v, double shift, double constant) const;
  // out = s v
  void weigh(const std::vector<double>& v, std::vector<double>& out) const;

  Design& design() const { return *design_; }
  const FitData& fit() const { return fit_; }
  const Rowspace& space() const { return rows_.space(); }
  const ColumnFacts& facts() const { return facts_; }
  const std::vector<double>& y() const { return y_; }  // centered
  double y_mean() const { return y_mean_; }
  double null_square() const { return null_square_; }  // |y|^2
  double null_objective() const { return 0.5 * null_square_; }
  // |x_j| before centering: what the rounding of a centered product is relative to.
  double raw_norm(Index j) const;

  // Entries of X read since count_from_zero().
  void read(double entries) { entries_read_ += entries; }
  void count_from_zero() { entries_read_ = 0.0; }
  double entries_read() const { return entries_read_; }
  double passes() const {
    return entries_read_ / std::max<double>(1.0, static_cast<double>(design_->entries()));
  }

 private:
  std::unique_ptr<Design> design_;
  FitData fit_;
  WeightedRows rows_;
  std::vector<double> y_;
  double y_mean_ = 0.0, null_square_ = 0.0;
  ColumnFacts facts_;
  double entries_read_ = 0.0;
};

}  // namespace banditcd::elastic_net
