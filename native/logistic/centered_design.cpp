#include "logistic/centered_design.hpp"

namespace banditcd::logistic {
namespace {

constexpr double kFar = 0.99;  // share of its mean square that is a column's mean: ten deviations

}  // namespace

bool CenteredDesign::center_far_columns(const ColumnFacts& facts) {
  const double n = static_cast<double>(design_->rows());
  bool far = false;
  for (std::size_t j = 0; j < design_->cols() && !far; ++j) {
    const double mean = facts.mean[j], square = facts.square[j];
    far = square > 0.0 && n * mean * mean > kFar * (square + n * mean * mean);
  }
  if (!far) return false;
  std::unique_ptr<Design> copy = design_->centered(facts.mean.data());
  if (!copy) return false;
  copy->set_threads(design_->threads());
  design_ = std::move(copy);
  mean_ = facts.mean;
  return true;
}

double CenteredDesign::shift(const std::vector<double>& coef) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < mean_.size(); ++j) sum += mean_[j] * coef[j];
  return sum;
}

double CenteredDesign::predict(const std::vector<Index>& columns, const std::vector<double>& coef,
                               std::vector<double>& out, Watch& watch) const {
  std::vector<Index> support;
  std::vector<double> values;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    if (coef[t] == 0.0) continue;
    support.push_back(columns[t]);
    values.push_back(coef[t]);
  }
  out.assign(design_->rows(), 0.0);
  design_->combine(support.data(), support.size(), values.data(), out.data(), watch);
  return entries_of(*design_, support);
}

}  // namespace banditcd::logistic
