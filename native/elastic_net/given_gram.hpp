// A matrix whose Gram matrix the caller has: that of its columns, centered beside an intercept,
// with the weights of the rows. Only steps are taken with it: certificates come from the rows.
#pragma once
#include <memory>

#include "columns/forward_design.hpp"

namespace banditcd::elastic_net {

class GivenGram final : public ForwardDesign {
 public:
  // gram: cols x cols, borrowed.
  GivenGram(std::unique_ptr<Design> base, const double* gram)
      : ForwardDesign(std::move(base)), gram_(gram) {}
  bool gram_known() const override { return true; }

  std::size_t append_gram(const Rowspace&, const double*, const GramRequest& request,
                          Watch& watch) override {
    copy_gram(gram_, cols(), request, watch);
    return 0;
  }

 private:
  const double* gram_;
};

}  // namespace banditcd::elastic_net
