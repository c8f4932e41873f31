// The training rows of a fold as a matrix of their own, without a copy: rows of weight zero, and a
// Gram matrix by subtraction.
#pragma once
#include <memory>
#include <vector>

#include "record/folds.hpp"

namespace banditcd::record {

class FoldDesign final : public Design {
 public:
  FoldDesign(std::unique_ptr<Design> base, const FoldSet& set, std::size_t fold);
  std::size_t entries() const override { return base_->entries(); }
  std::size_t entries(std::size_t j) const override { return base_->entries(j); }
  bool sparse() const override { return base_->sparse(); }
  double gram_entry_cost() const override { return base_->gram_entry_cost(); }
  bool gram_known() const override { return true; }
  double gram_rounding() const override { return rounding_; }

  void survey(const Rowspace& space, const double* v, ColumnFacts& out,
              Watch& watch) const override;
  void correlate(const Index* column, std::size_t count, const double* v, double* out,
                 Watch& watch) const override {
    base_->correlate(column, count, v, out, watch);
  }
  void weighted_squares(const Index* column, std::size_t count, const double* weight, double* out,
                        Watch& watch) const override {
    base_->weighted_squares(column, count, weight, out, watch);
  }
  void combine(const Index* column, std::size_t count, const double* coef, double* v,
               Watch& watch) const override {
    base_->combine(column, count, coef, v, watch);
  }
  bool sweep(const Rowspace& space, const ColumnFacts& facts, const ColumnSweep& request,
             Watch& watch) const override {
    return base_->sweep(space, facts, request, watch);
  }
  std::unique_ptr<Design> sample(const std::vector<Index>& row) const override {
    return base_->sample(row);
  }
  std::size_t append_gram(const Rowspace& space, const double* mean, const GramRequest& request,
                          Watch& watch) override;

 private:
  void subtract();
  double product(std::size_t i, std::size_t j) const;

  std::unique_ptr<Design> base_;
  const FoldSet& set_;
  const FoldSums* test_;  // null: nothing is left out
  double scale_ = 1.0;    // weights of the training rows sum to the number of all rows
  double weight_ = 0.0, rounding_ = 1.0;
  std::vector<double> x_;   // sums over the training rows
  ColumnFacts facts_;       // by subtraction
  std::vector<char> lost_;  // columns of which subtraction leaves too little
  bool any_lost_ = false;
};

}  // namespace banditcd::record
