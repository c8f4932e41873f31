// A matrix that passes every question on to another one; what differs is overridden.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "columns/design.hpp"

namespace banditcd {

class ForwardDesign : public Design {
 public:
  explicit ForwardDesign(std::unique_ptr<Design> base)
      : Design(base->rows(), base->cols()), base_(std::move(base)) {}
  std::size_t entries() const override { return base_->entries(); }
  std::size_t entries(std::size_t j) const override { return base_->entries(j); }
  bool sparse() const override { return base_->sparse(); }
  double gram_entry_cost() const override { return base_->gram_entry_cost(); }
  bool gram_known() const override { return base_->gram_known(); }
  double gram_rounding() const override { return base_->gram_rounding(); }

  void survey(const Rowspace& space, const double* v, ColumnFacts& out,
              Watch& watch) const override {
    base_->survey(space, v, out, watch);
  }
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
  void measure(const Rowspace& space, const PointBatch& batch, BatchFacts& out,
               Watch& watch) const override {
    base_->measure(space, batch, out, watch);
  }
  std::size_t sweep(const Rowspace& space, const ColumnFacts& facts, const ColumnSweep& request,
                    Watch& watch) const override {
    return base_->sweep(space, facts, request, watch);
  }
  std::unique_ptr<Design> sample(const std::vector<Index>& row) const override {
    return base_->sample(row);
  }
  std::size_t append_gram(const Rowspace& space, const double* mean, const GramRequest& request,
                          Watch& watch) override {
    return base_->append_gram(space, mean, request, watch);
  }

 protected:
  std::unique_ptr<Design> base_;
};

}  // namespace banditcd
