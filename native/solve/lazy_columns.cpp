#include "solve/lazy_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace banditcd {
namespace {

constexpr std::size_t kSampleChunks = 16;

}  // namespace

void LazyColumns::start(const Design& design, std::vector<Index> eligible,
                        const std::vector<double>& square, const std::vector<double>& correlation,
                        const double* row_weight, std::size_t bytes) {
  eligible_ = std::move(eligible);
  norm_.resize(square.size());
  for (std::size_t j = 0; j < square.size(); ++j) norm_[j] = std::sqrt(square[j]);
  correlation_ = correlation;
  pass_entries_ = static_cast<double>(design.entries());
  // Snapshots take at most half the memory of the data.
  const std::size_t rows = std::max<std::size_t>(design.rows(), 1);
  const std::size_t most = std::min(design.entries() / (2 * rows), bytes / sizeof(double) / rows);
  snapshots_.resize(design.rows(), std::min(kSnapshots, std::max<std::size_t>(2, most)),
                    row_weight);
  current_ = Snapshots::kNever;
  seen_.assign(square.size(), current_);
}

void LazyColumns::remember(const ResidualView& residual) {
  current_ = snapshots_.remember(residual.value, residual.square);
  seen_.assign(seen_.size(), current_);
}

double LazyColumns::read(const Design& design, const ResidualView& residual, Watch& watch) {
  if (unread_.empty()) return 0.0;
  if (current_ == Snapshots::kNever)
    current_ = snapshots_.remember(residual.value, residual.square);
  buffer_.resize(unread_.size());
  design.correlate(unread_.data(), unread_.size(), residual.weighted, buffer_.data(), watch);
  for (std::size_t t = 0; t < unread_.size(); ++t) {
    correlation_[unread_[t]] = buffer_[t];
    seen_[unread_[t]] = current_;
  }
  pass_entries_ = entries_of(design, unread_);
  return pass_entries_;
}

void LazyColumns::date(const std::vector<Index>& columns) {
  if (current_ == Snapshots::kNever) return;
  for (const Index j : columns) seen_[j] = current_;
}

std::vector<Index> eligible_columns(const std::vector<double>& square, const Penalties& penalties) {
  std::vector<Index> out;
  for (std::size_t j = 0; j < square.size(); ++j)
    if (square[j] > 0.0 && !penalties.excluded(j)) out.push_back(static_cast<Index>(j));
  return out;
}

double largest_slope(const std::vector<Index>& columns, const std::vector<double>& correlation,
                     const Penalties& penalties) {
  double largest = 0.0;
  for (const Index j : columns) {
    const double scale = penalties.weight ? penalties.weight[j] : 1.0;
    if (scale > 0.0 && penalties.opens(j, correlation[j]))
      largest = std::max(largest, std::abs(correlation[j]) / scale);
  }
  return largest;
}

std::vector<Index> sampled_rows(const Design& design, std::size_t columns, Spread spread,
                                std::size_t bytes) {
  const std::size_t n = design.rows();
  const std::size_t wanted =
      std::max(n / kSampleShare, kSampleRowsPerColumn * std::max<std::size_t>(1, columns));
  std::vector<Index> rows;
  if (wanted * 4 > n || design.entries() < kSampleEntries) return rows;
  const double entry = design.sparse() ? sizeof(double) + sizeof(Index) : sizeof(double),
               share = static_cast<double>(wanted) / static_cast<double>(n);
  if (entry * share * static_cast<double>(design.entries()) > static_cast<double>(bytes))
    return rows;
  rows.reserve(wanted + kSampleChunks);
  if (spread == Spread::kChunks) {
    const std::size_t chunk = (wanted + kSampleChunks - 1) / kSampleChunks;
    for (std::size_t c = 0; c < kSampleChunks; ++c) {
      const std::size_t first = c * n / kSampleChunks;
      for (std::size_t i = first; i < std::min(first + chunk, n); ++i)
        rows.push_back(static_cast<Index>(i));
    }
    return rows;
  }
  const std::size_t group = n / wanted;
  std::uint32_t scrambled = 0;
  for (std::size_t first = 0; first + group <= n; first += group) {
    scrambled += 0x9e3779b9u;
    rows.push_back(static_cast<Index>(first + (scrambled >> 16) % group));
  }
  return rows;
}

}  // namespace banditcd
