#include "groups/lazy_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "solve/squares.hpp"
#include "solve/strategy.hpp"

namespace banditcd::groups {
namespace {

constexpr std::size_t kColumnsAtOnce = 4096;

}  // namespace

void LazyBlocks::start(const Design& design, std::size_t tasks, const std::vector<double>& square) {
  tasks_ = tasks;
  square_.assign(layout_->count(), 0.0);
  eligible_.assign(layout_->count(), 0);
  for (std::size_t g = 0; g < layout_->count(); ++g) {
    for (std::size_t i = 0; i < layout_->size(g); ++i) square_[g] += square[layout_->columns(g)[i]];
    eligible_[g] = square_[g] > 0.0 && layout_->weight[g] < kInfinity ? 1 : 0;
  }
  check_finite(square_);
  norm_.assign(layout_->count(), 0.0);
  seen_.assign(layout_->count(), Snapshots::kNever);
  // Snapshots take at most half the memory of the data.
  const std::size_t length = std::max<std::size_t>(1, design.rows() * tasks);
  const std::size_t most = std::max<std::size_t>(2, design.entries() / (2 * length));
  snapshots_.resize(design.rows() * tasks, std::min(kSnapshots, most), nullptr);
  forget();
}

void LazyBlocks::relate(const std::vector<double>& pull) {
  snapshots_.relate(pull.data(), dot(pull.data(), pull.data(), pull.size()));
}

bool LazyBlocks::may_exceed(std::size_t g, double threshold) const {
  if (!snapshots_.known(seen_[g])) return true;
  const double middle = std::abs(snapshots_.beta(seen_[g])) * norm_[g];
  const double width = std::sqrt(square_[g]) * snapshots_.error(seen_[g]);
  return middle + width >= kNearThreshold * threshold;
}

void LazyBlocks::remember(const std::vector<double>& pull) {
  if (current_ == Snapshots::kNever)
    current_ = snapshots_.remember(pull.data(), dot(pull.data(), pull.data(), pull.size()));
}

void LazyBlocks::set_norm(std::size_t g, double norm, const std::vector<double>& pull) {
  remember(pull);
  norm_[g] = norm;
  seen_[g] = current_;
}

double LazyBlocks::read(const Design& design, const std::vector<double>& pull, Watch& watch) {
  double entries = 0.0;
  for (std::size_t at = 0; at < unread_.size();) {
    remember(pull);
    columns_.clear();
    std::size_t end = at;
    for (; end < unread_.size() && columns_.size() < kColumnsAtOnce; ++end) {
      const Index* first = layout_->columns(unread_[end]);
      columns_.insert(columns_.end(), first, first + layout_->size(unread_[end]));
    }
    buffer_.resize(columns_.size() * tasks_);
    design.correlate_tasks(columns_.data(), columns_.size(), pull.data(), tasks_, buffer_.data(),
                           watch);
    entries += entries_of(design, columns_);
    for (std::size_t i = 0; at < end; ++at) {
      const std::size_t p = layout_->size(unread_[at]);
      double sum = 0.0;
      for (std::size_t k = 0; k < tasks_; ++k)
        for (std::size_t j = i; j < i + p; ++j)
          sum += buffer_[k * columns_.size() + j] * buffer_[k * columns_.size() + j];
      norm_[unread_[at]] = std::sqrt(sum);
      seen_[unread_[at]] = current_;
      i += p;
    }
  }
  return entries;
}

}  // namespace banditcd::groups
