#include "elastic_net/folds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic_net/fold_design.hpp"
#include "elastic_net/strategy.hpp"
#include "kernels/vector.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kErrorDigits = 1e-6;  // of the terms must be left, or nine digits are not

}  // namespace

// The same question as for one path, for the rows that every fold trains on.
bool FoldSet::pays(const Shape& shape, std::size_t folds, std::size_t penalties,
                   std::size_t bytes) {
  const std::size_t n = shape.rows, d = shape.cols, lane = padded(d);
  if ((folds + 2) * d * lane > bytes / sizeof(double)) return false;
  if (d <= kSmallColumns) return true;
  if (static_cast<double>((folds - 1) * n) < kFoldRowsPerColumn * static_cast<double>(folds * d))
    return false;
  const double cols = static_cast<double>(d), entries = static_cast<double>(shape.entries);
  const double rows = static_cast<double>(n);
  const double gram = shape.sparse ? 0.5 * kScatter * entries * entries / rows
                                   : 0.5 * kProduct * rows * cols * cols;
  const double write = static_cast<double>(folds) * kGramEntry * cols * cols;
  const double pass = column_entry(shape.sparse) * entries;
  return gram + write < kPassesPerSolve * static_cast<double>(penalties * folds) * pass;
}

FoldSet::FoldSet(Factory factory, const FitData& data, Rows tests, std::size_t pool_bytes,
                 Watch& watch)
    : factory_(std::move(factory)),
      data_(data),
      tests_(std::move(tests)),
      pool_bytes_(pool_bytes),
      folds_(tests_.size()) {
  const std::unique_ptr<Design> design = factory_();
  rows_ = design->rows();
  cols_ = design->cols();
  mean_.assign(cols_, 0.0);
  weight_.resize(count());
  if (data_.intercept) center(*design, watch);
  all_.x.assign(cols_, 0.0);
  all_.xy.assign(cols_, 0.0);
  all_.gram.reserve(cols_ * stride());
  std::fill(all_.gram.data(), all_.gram.data() + cols_ * stride(), 0.0);
  for (std::size_t f = 0; f < count(); ++f) {
    sum_fold(*design, f, watch);
    const FoldSums& sums = folds_[f];
    all_.weight += sums.weight;
    all_.y += sums.y;
    all_.yy += sums.yy;
    axpy(1.0, sums.x.data(), all_.x.data(), cols_);
    axpy(1.0, sums.xy.data(), all_.xy.data(), cols_);
    for (std::size_t j = 0; j < cols_; ++j, watch.check())
      axpy(1.0, sums.gram.data() + j * stride(), all_.gram.data() + j * stride(), stride());
  }
  for (std::size_t f = 0; f < count(); ++f) {
    const double scale = static_cast<double>(rows_) / (all_.weight - folds_[f].weight);
    weight_[f].assign(rows_, scale);
    if (data_.sample_weight)
      for (std::size_t i = 0; i < rows_; ++i) weight_[f][i] = scale * data_.sample_weight[i];
    for (const Index i : tests_[f]) weight_[f][i] = 0.0;
  }
}

// The means of all rows.
void FoldSet::center(const Design& design, Watch& watch) {
  const double* s = data_.sample_weight;
  std::vector<double> ones(rows_, 1.0);
  double total = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    total += s ? s[i] : 1.0;
    sum += (s ? s[i] : 1.0) * data_.y[i];
  }
  y_mean_ = sum / total;
  const std::vector<Index> columns = all_columns(cols_);
  design.correlate(columns.data(), cols_, s ? s : ones.data(), mean_.data(), watch);
  for (double& mean : mean_) mean /= total;
  entries_read_ += static_cast<double>(design.entries());
}

// One copy of the test rows, one pass and one product; the copy is dropped at once.
void FoldSet::sum_fold(const Design& design, std::size_t fold, Watch& watch) {
  const std::vector<Index>& rows = tests_[fold];
  const std::unique_ptr<Design> part = design.sample(rows);
  std::vector<double> weight(rows.size(), 1.0), weighted_y(rows.size());
  FoldSums& sums = folds_[fold];
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (data_.sample_weight) weight[t] = data_.sample_weight[rows[t]];
    const double y = data_.y[rows[t]] - y_mean_;
    weighted_y[t] = weight[t] * y;
    sums.weight += weight[t];
    sums.y += weighted_y[t];
    sums.yy += weighted_y[t] * y;
  }
  const WeightedRows tested(rows.size(), data_.sample_weight ? weight.data() : nullptr,
                            data_.intercept && !design.sparse());
  const std::vector<Index> columns = all_columns(cols_);
  sums.x.resize(cols_);
  sums.xy.resize(cols_);
  part->correlate(columns.data(), cols_, weight.data(), sums.x.data(), watch);
  part->correlate(columns.data(), cols_, weighted_y.data(), sums.xy.data(), watch);
  sums.gram.reserve(cols_ * stride());
  std::fill(sums.gram.data(), sums.gram.data() + cols_ * stride(), 0.0);
  const std::size_t read = part->append_gram(
      tested.space(), mean_.data(), {columns.data(), 0, cols_, sums.gram.data(), stride()}, watch);
  entries_read_ += static_cast<double>(read + 2 * part->entries());
  for (std::size_t j = 0; j < cols_; ++j) {
    sums.xy[j] -= mean_[j] * sums.y;
    sums.x[j] -= mean_[j] * sums.weight;
  }
  if (data_.intercept && design.sparse()) center_products(sums, watch);
}

// Sparse columns are never centered: sum s (x_i - m_i)(x_j - m_j) from sum s x_i x_j.
void FoldSet::center_products(FoldSums& sums, Watch& watch) const {
  for (std::size_t i = 0; i < cols_; ++i) {
    double* row = sums.gram.data() + i * stride();
    const double first = sums.x[i] + sums.weight * mean_[i];
    for (std::size_t j = 0; j < cols_; ++j) row[j] -= mean_[j] * first + mean_[i] * sums.x[j];
    watch.check();
  }
}

std::unique_ptr<ElasticNetSolver> FoldSet::solver(std::size_t fold, std::size_t penalties) const {
  FitData data = data_;
  if (fold < count()) data.sample_weight = weight_[fold].data();
  auto design = std::make_unique<FoldDesign>(factory_(), *this, fold);
  // At least two: the Gram matrix is there, and a single penalty may be solved in it as well.
  const std::size_t expected = std::max<std::size_t>(2, penalties * count());
  return std::make_unique<ElasticNetSolver>(std::move(design), data, pool_bytes_,
                                            Purpose{expected});
}

std::size_t FoldSet::errors(std::size_t fold, const Models& models, double* out,
                            Watch& watch) const {
  std::size_t lost = 0;
  for (std::size_t k = 0; k < models.count; ++k, watch.check()) {
    out[k] = error(folds_[fold], models.coef + k * cols_, models.intercept[k]);
    lost += std::isnan(out[k]) ? 1 : 0;
  }
  return lost;
}

// sum s (y - b - x.w)^2 / sum s = (yy - 2 w.xy + w'Gw - 2 b (y - w.x) + b^2 s) / s, with the
// intercept of the centered columns as b.
double FoldSet::error(const FoldSums& sums, const double* coef, double intercept) const {
  std::vector<Index> support;
  double shift = intercept - y_mean_, linear = 0.0, size = 0.0, x = 0.0, norm = 0.0;
  for (std::size_t j = 0; j < cols_; ++j) {
    if (coef[j] == 0.0) continue;
    support.push_back(static_cast<Index>(j));
    shift += coef[j] * mean_[j];
    linear += coef[j] * sums.xy[j];
    size += std::abs(coef[j] * sums.xy[j]);
    x += coef[j] * sums.x[j];
    norm += std::abs(coef[j]) * std::sqrt(sums.gram.data()[j * (stride() + 1)]);
  }
  double square = 0.0;
  for (const Index j : support)
    square += coef[j] * dot(sums.gram.data() + j * stride(), coef, cols_);
  const double total =
      sums.yy - 2.0 * linear + square - 2.0 * shift * (sums.y - x) + shift * shift * sums.weight;
  const double terms = sums.yy + 2.0 * size + norm * norm + shift * shift * sums.weight;
  if (!(total > kErrorDigits * terms)) return std::numeric_limits<double>::quiet_NaN();
  return total / sums.weight;
}

}  // namespace banditcd::elastic_net
