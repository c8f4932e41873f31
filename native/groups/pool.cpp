#include "groups/pool.hpp"

#include <algorithm>
#include <utility>

namespace banditcd::groups {

void Pool::clear() {
  for (const std::size_t g : block_) place_[g] = -1;
  block_.clear();
  first_.clear();
  column_.clear();
  penalty_.clear();
  forget_gram();
}

void Pool::add(std::size_t g) {
  place_[g] = static_cast<long long>(block_.size());
  block_.push_back(g);
  first_.push_back(column_.size());
  column_.insert(column_.end(), layout_->columns(g), layout_->columns(g) + layout_->size(g));
}

void Pool::set_penalties(double l1, double l2) {
  penalty_.resize(block_.size());
  for (std::size_t t = 0; t < block_.size(); ++t)
    penalty_[t] = penalty_of(*layout_, block_[t], l1, l2);
}

bool Pool::fits(std::size_t columns, std::size_t bytes) {
  const double side = static_cast<double>(padded(columns));
  return side * side * sizeof(double) <= static_cast<double>(bytes);
}

// Twice the columns, if the old entries are worth keeping.
void Pool::make_room() {
  const std::size_t needed = padded(column_.size());
  if (needed <= stride_) return;
  const std::size_t old = stride_, stride = known_ ? padded(2 * column_.size()) : needed;
  AlignedBuffer larger;
  larger.reserve(stride * stride);
  for (std::size_t i = 0; i < known_; ++i)
    std::copy_n(gram_.data() + i * old, known_, larger.data() + i * stride);
  gram_.swap(larger);
  stride_ = stride;
}

double Pool::grow_gram(Design& design, const Rowspace& space, const double* mean, Watch& watch) {
  double read = 0.0;
  if (known_ < column_.size()) {
    make_room();
    read = static_cast<double>(design.append_gram(
        space, mean, {column_.data(), known_, column_.size(), gram_.data(), stride_}, watch));
    known_ = column_.size();
  }
  find_spectra(watch);
  return read;
}

double Pool::grow_rough_gram(Design& design, const ColumnFacts& facts, Watch& watch) {
  double read = 0.0;
  if (known_ < column_.size()) {
    make_room();
    const GramRequest request{column_.data(), known_, column_.size(), gram_.data(), stride_};
    read = static_cast<double>(design.append_rough_gram(facts, request, watch));
    known_ = column_.size();
  }
  find_spectra(watch);
  return read;
}

void Pool::find_spectra(Watch& watch) {
  spectrum_.resize(std::max(spectrum_.size(), block_.size()));
  for (; judged_ < block_.size(); ++judged_) {
    const std::size_t at = first_[judged_];
    spectrum_[judged_].find(gram(at) + at, stride_, width(judged_), watch);
  }
}

double Pool::grow_spectra(Design& design, const Rowspace& space, const double* mean, Watch& watch) {
  double read = 0.0;
  AlignedBuffer own;
  spectrum_.resize(std::max(spectrum_.size(), block_.size()));
  for (; judged_ < block_.size(); ++judged_) {
    const std::size_t p = width(judged_), stride = padded(p);
    own.reserve(stride * stride);
    const GramRequest request{column_.data() + first_[judged_], 0, p, own.data(), stride};
    read += static_cast<double>(design.append_gram(space, mean, request, watch));
    spectrum_[judged_].find(own.data(), stride, p, watch);
  }
  return read;
}

}  // namespace banditcd::groups
