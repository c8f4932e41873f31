#include "logistic/curvature_rows.hpp"

#include <algorithm>

namespace banditcd::logistic {
namespace {

constexpr std::size_t kSampleRows = 20;  // for each column, that a sample shows curvatures
// Thinning leaves this share of the rows, and this many for each column; it is left alone where
// that is more than kThinMost of all rows.
constexpr double kThinShare = 0.25, kThinRows = 64.0, kThinMost = 0.5;

}  // namespace

Rowspace curved_rows(const Point& point, bool centered) {
  Rowspace out;
  out.rows = point.curvature().size();
  out.weight = point.curvature().data();
  out.total_weight = point.totals().curvature;
  out.centered = centered;
  return out;
}

void CurvatureRows::choose(std::size_t columns) {
  if (sample_helps_ && row_.size() > kSampleRows * columns)
    in_use_ = Rows::kSample;
  else  // where no sample was worth its making, a matrix from all rows is cheap
    in_use_ = thinning_helps_ && !row_.empty() ? Rows::kThinnable : Rows::kAll;
}

Rowspace CurvatureRows::space(const Design& design, const Point& point, const PoolColumns& pool,
                              bool centered) {
  Rowspace out = curved_rows(point, centered);
  if (in_use_ == Rows::kSample) {
    const std::vector<double>& h = point.curvature();
    out.rows = row_.size();
    weight_.resize(out.rows);
    double total = 0.0;
    for (std::size_t t = 0; t < out.rows; ++t) total += weight_[t] = h[row_[t]];
    for (double& weight : weight_) weight *= out.total_weight / total;
    out.weight = weight_.data();
  } else if (in_use_ == Rows::kThinnable) {
    const double n = static_cast<double>(out.rows),
                 wanted = std::max(kThinShare * n, kThinRows * static_cast<double>(pool.size()));
    if (wanted < kThinMost * n && design.thinning_pays(pool.column.data(), pool.size()))
      thin(wanted, out);
  }
  return out;
}

void CurvatureRows::thin(double wanted, Rowspace& rows) {
  const double step = rows.total_weight / wanted;
  double carry = 0.5 * step, kept = 0.0;
  weight_.resize(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double h = rows.weight[i];
    carry += std::min(h, step);
    weight_[i] = 0.0;
    if (carry < step) continue;
    carry -= step;
    kept += weight_[i] = std::max(h, step);
  }
  for (double& weight : weight_) weight *= rows.total_weight / kept;
  rows.weight = weight_.data();
  rows.thinned = true;
  in_use_ = Rows::kThinned;
}

}  // namespace banditcd::logistic
