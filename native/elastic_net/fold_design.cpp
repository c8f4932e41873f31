#include "elastic_net/fold_design.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::elastic_net {
namespace {

// A column keeps its place in the subtraction if its test rows hold at most this share of it.
constexpr double kLargestShare = 0.75;

}  // namespace

FoldDesign::FoldDesign(std::unique_ptr<Design> base, const FoldSet& set, std::size_t fold)
    : ForwardDesign(std::move(base)),
      set_(set),
      test_(fold < set.count() ? &set.folds_[fold] : nullptr) {
  weight_ = set_.all_.weight - (test_ ? test_->weight : 0.0);
  scale_ = static_cast<double>(rows()) / weight_;
  subtract();
}

// What the survey would have found. Each entry of the difference is off by the rounding of both
// terms, which is relative to the larger one: rounding_ says how much worse than a direct product.
void FoldDesign::subtract() {
  const FoldSums& all = set_.all_;
  const std::size_t d = cols(), step = set_.stride() + 1;
  x_ = all.x;
  facts_.resize(d);
  lost_.assign(d, 0);
  const double y = all.y - (test_ ? test_->y : 0.0);
  const bool centered = set_.data_.intercept;
  const double yy = all.yy - (test_ ? test_->yy : 0.0);
  double worst = yy > 0.0 ? all.yy / yy : 1.0;
  for (std::size_t j = 0; j < d; ++j) {
    if (test_) x_[j] -= test_->x[j];
    const double whole = all.gram.data()[j * step];
    const double part = whole - (test_ ? test_->gram.data()[j * step] : 0.0);
    const double shift = centered ? x_[j] / weight_ : 0.0;
    const double square = part - shift * x_[j];
    lost_[j] = whole > 0.0 && !(square >= (1.0 - kLargestShare) * whole) ? 1 : 0;
    any_lost_ = any_lost_ || lost_[j];
    facts_.square[j] = scale_ * std::max(square, 0.0);
    facts_.mean[j] = centered ? set_.mean_[j] + shift : 0.0;
    if (!lost_[j] && whole > 0.0) {
      worst = std::max(worst, whole / square);
      // Sparse columns are centered after their products, whose rounding is that of the raw ones.
      const double raw_whole = whole + all.weight * set_.mean_[j] * set_.mean_[j];
      const double raw_part = square + weight_ * facts_.mean[j] * facts_.mean[j];
      worst = std::max(worst, raw_whole / raw_part);
    }
    const double xy = all.xy[j] - (test_ ? test_->xy[j] : 0.0);
    facts_.correlation[j] = scale_ * (xy - shift * y);
  }
  // Two terms and their difference, for a whole and for the part that is left out.
  rounding_ = test_ ? 3.0 * worst : 2.0;
}

void FoldDesign::survey(const Rowspace& space, const double* v, ColumnFacts& out,
                        Watch& watch) const {
  if (any_lost_)
    base_->survey(space, v, out, watch);
  else
    out = facts_;
}

double FoldDesign::product(std::size_t i, std::size_t j) const {
  const std::size_t at = i * set_.stride() + j;
  double out = set_.all_.gram.data()[at];
  if (test_) out -= test_->gram.data()[at];
  if (set_.data_.intercept) out -= x_[i] * x_[j] / weight_;
  return scale_ * out;
}

// Columns that the subtraction keeps come from it, the others from their weighted rows.
std::size_t FoldDesign::append_gram(const Rowspace& space, const double* mean,
                                    const GramRequest& request, Watch& watch) {
  std::vector<Index> place, column;
  for (std::size_t t = 0; t < request.size; ++t)
    if (!lost_[request.column[t]]) place.push_back(static_cast<Index>(t));
  const std::size_t kept = place.size(), size = request.size;
  for (std::size_t s = 0; s < kept; ++s) {
    double* row = request.gram + place[s] * request.stride;
    for (std::size_t t = 0; t < kept; ++t)
      row[place[t]] = product(request.column[place[s]], request.column[place[t]]);
    watch.check();
  }
  std::size_t read = static_cast<std::size_t>(set_.entries_read_) / (set_.count() + 1);
  if (kept == size) return read;
  for (std::size_t t = 0; t < size; ++t)
    if (lost_[request.column[t]]) place.push_back(static_cast<Index>(t));
  for (const Index t : place) column.push_back(request.column[t]);
  AlignedBuffer exact;
  const std::size_t stride = padded(size);
  exact.reserve(size * stride);
  std::fill(exact.data(), exact.data() + size * stride, 0.0);
  read += base_->append_gram(space, mean, {column.data(), kept, size, exact.data(), stride}, watch);
  for (std::size_t s = 0; s < size; ++s)
    for (std::size_t t = 0; t < size; ++t)
      if (s >= kept || t >= kept)
        request.gram[place[s] * request.stride + place[t]] = exact.data()[s * stride + t];
  return read;
}

}  // namespace banditcd::elastic_net
