// The data matrix of a solve, in which columns far from zero may be centered.
//
// An intercept takes up any shift of the columns, X w + b = (X - 1 m') w + (b + m'w), but not in
// float64: beside x ~ 1000 the dual constraint and the models lose six digits. Where a mean m_j is
// ten or more standard deviations from zero, the solve works on a copy X - 1 m'.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "columns/design.hpp"

namespace banditcd::logistic {

class CenteredDesign {
 public:
  explicit CenteredDesign(std::unique_ptr<Design> design) : design_(std::move(design)) {}
  // Goes over to the copy if a column is far from zero by these squares (centered) and means.
  // Returns whether it did; some kinds of matrices have no such copy.
  bool center_far_columns(const ColumnFacts& facts);
  // m'w, or zero without a copy.
  double shift(const std::vector<double>& coef) const;
  // out = X w for the coefficients w of some columns. Returns the entries of X read.
  double predict(const std::vector<Index>& columns, const std::vector<double>& coef,
                 std::vector<double>& out, Watch& watch) const;

  Design& operator*() const { return *design_; }
  Design* operator->() const { return design_.get(); }
  std::unique_ptr<Design> release() { return std::move(design_); }

 private:
  std::unique_ptr<Design> design_;
  std::vector<double> mean_;  // m; empty without a copy
};

}  // namespace banditcd::logistic
