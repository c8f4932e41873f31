#include "elastic_net/targets.hpp"

#include "columns/forward_design.hpp"
#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {
namespace {

// Passes that one response saves when it finds the Gram matrix ready.
constexpr double kPassesPerTarget = 4.0;

}  // namespace

class TargetDesign final : public ForwardDesign {
 public:
  TargetDesign(std::unique_ptr<Design> base, const TargetSet& set)
      : ForwardDesign(std::move(base)), set_(set) {}
  bool gram_known() const override { return set_.shares_gram_; }

  void survey(const Rowspace&, const double* v, ColumnFacts& out, Watch& watch) const override {
    out.square = set_.facts_.square;
    out.mean = set_.facts_.mean;
    base_->correlate(all_columns(cols()).data(), cols(), v, out.correlation.data(), watch);
  }

  std::size_t append_gram(const Rowspace& space, const double* mean, const GramRequest& request,
                          Watch& watch) override {
    if (!set_.shares_gram_) return base_->append_gram(space, mean, request, watch);
    copy_gram(set_.gram_.data(), padded(cols()), request, watch);
    return 0;
  }

 private:
  const TargetSet& set_;
};

TargetSet::TargetSet(Factory factory, const FitData& data, std::size_t targets,
                     std::size_t pool_bytes, Watch& watch)
    : factory_(std::move(factory)), data_(data), pool_bytes_(pool_bytes) {
  const std::unique_ptr<Design> design = factory_();
  rows_ = design->rows();
  cols_ = design->cols();
  const WeightedRows rows(rows_, data_.sample_weight, data_.intercept);
  facts_.resize(cols_);
  const std::vector<double> nothing(rows_, 0.0);
  design->survey(rows.space(), nothing.data(), facts_, watch);
  shares_gram_ = gram_pays(*design, targets);
  if (!shares_gram_) return;
  const std::size_t stride = padded(cols_);
  gram_.reserve(cols_ * stride);
  design->append_gram(rows.space(), facts_.mean.data(),
                      {all_columns(cols_).data(), 0, cols_, gram_.data(), stride}, watch);
}

bool TargetSet::gram_pays(const Design& design, std::size_t targets) const {
  if (2 * cols_ * padded(cols_) > pool_bytes_ / sizeof(double)) return false;
  if (cols_ <= kSmallColumns) return true;
  if (rows_ < 2 * cols_) return false;
  const double n = static_cast<double>(rows_), d = static_cast<double>(cols_);
  const double entries = static_cast<double>(design.entries());
  const double gram = design.sparse() ? 0.5 * kScatter * entries * entries / n + kGramEntry * d * d
                                      : 0.5 * kProduct * n * d * d;
  const double pass = column_entry(design.sparse()) * entries;
  return gram < kPassesPerTarget * static_cast<double>(targets) * pass;
}

std::unique_ptr<ElasticNetSolver> TargetSet::solver(const double* y) const {
  FitData data = data_;
  data.y = y;
  // Two solves are worth going without the rows; one would rather look at them.
  return std::make_unique<ElasticNetSolver>(std::make_unique<TargetDesign>(factory_(), *this), data,
                                            pool_bytes_, Purpose{shares_gram_ ? 2u : 1u});
}

}  // namespace banditcd::elastic_net
