// Many responses to one matrix: squares, means and, where it pays, the Gram matrix are computed
// once. What remains for each response is one pass for its correlations, and its own solve.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "elastic_net/solver.hpp"

namespace banditcd::elastic_net {

class TargetSet {
 public:
  using Factory = std::function<std::unique_ptr<Design>()>;

  // data.y is not looked at. targets: how many responses will be asked for.
  TargetSet(Factory factory, const FitData& data, std::size_t targets, std::size_t pool_bytes,
            Watch& watch);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  bool shares_gram() const { return shares_gram_; }
  // A solver of one response, which is borrowed.
  std::unique_ptr<ElasticNetSolver> solver(const double* y) const;

 private:
  friend class TargetDesign;
  bool gram_pays(const Design& design, std::size_t targets) const;

  Factory factory_;
  FitData data_;
  std::size_t pool_bytes_, rows_ = 0, cols_ = 0;
  ColumnFacts facts_;
  bool shares_gram_ = false;
  AlignedBuffer gram_;  // cols x cols, rows of padded length
};

}  // namespace banditcd::elastic_net
