// The training rows of a fold as a matrix of their own, without a copy: rows of weight zero, and a
// Gram matrix by subtraction.
#pragma once
#include <memory>
#include <vector>

#include "columns/forward_design.hpp"
#include "elastic_net/folds.hpp"

namespace banditcd::elastic_net {

class FoldDesign final : public ForwardDesign {
 public:
  FoldDesign(std::unique_ptr<Design> base, const FoldSet& set, std::size_t fold);
  bool gram_known() const override { return true; }
  // Folds are many and only compared: they are content with it. The fit on all rows is not.
  bool gram_certifies() const override { return test_ != nullptr; }
  double gram_rounding() const override { return rounding_; }
  void survey(const Rowspace& space, const double* v, ColumnFacts& out,
              Watch& watch) const override;
  std::size_t append_gram(const Rowspace& space, const double* mean, const GramRequest& request,
                          Watch& watch) override;

 private:
  void subtract();
  double product(std::size_t i, std::size_t j) const;

  const FoldSet& set_;
  const FoldSums* test_;  // null: nothing is left out
  double scale_ = 1.0;    // weights of the training rows sum to the number of all rows
  double weight_ = 0.0, rounding_ = 1.0;
  std::vector<double> x_;   // sums over the training rows
  ColumnFacts facts_;       // by subtraction
  std::vector<char> lost_;  // columns of which subtraction leaves too little
  bool any_lost_ = false;
};

}  // namespace banditcd::elastic_net
