#include "logistic/pool.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"

namespace banditcd::logistic {
namespace {

constexpr double kGrowthMost = 30.0;  // without any support; more than a few turn out useless
constexpr double kStayNear = 0.9;     // share of the threshold above which a column stays
// Columns that stay without being used, at most: a share of the support, or this many.
constexpr double kNearShare = 0.1, kNearLeast = 10.0;

// What a column promises.
struct Score {
  double r;
  Index j;
};

void keep_best(std::vector<Score>& scores, std::size_t count) {
  if (count >= scores.size()) return;
  std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(count),
                   scores.end(), [](const Score& a, const Score& b) { return a.r > b.r; });
  scores.resize(count);
}

}  // namespace

std::size_t PoolColumns::support() const {
  return size() - static_cast<std::size_t>(std::count(w.begin(), w.end(), 0.0));
}

bool Pool::choose(const LazyColumns& columns, const std::vector<double>& square, const Point& point,
                  const Penalties& penalties, const Design& design) {
  std::vector<Score> near, entering;
  entering.reserve(columns.evaluated().size());
  const std::vector<char> before = contains_;
  for (const Index j : columns_.column) contains_[j] = 0;
  columns_ = {};
  const auto add_column = [&](Index j) {
    add(j, point.coef()[j], columns.correlation(j), penalties.at(j));
  };
  // The mean curvature of a row stands for what a column will meet.
  const double flat = point.totals().curvature / static_cast<double>(design.rows());
  for (const Index j : columns.evaluated()) {
    const double c = columns.correlation(j), u = std::abs(c);
    const double w = point.coef()[j], threshold = kStayNear * penalties.threshold(j);
    if (w == 0.0 && !(u >= threshold)) continue;
    const Penalty g = penalties.at(j);
    const double excess = g.excess(c), curvature = flat * square[j] + g.m;
    if (w != 0.0 || g.free())
      add_column(j);
    else if (before[j])
      near.push_back({(u - threshold) * (u - threshold) / curvature, j});
    else if (excess > 0.0)
      entering.push_back({excess * excess / curvature, j});
  }
  // All of them would be many where a model was rough, and its matrix grows by their square.
  const double few = std::max(kNearLeast, kNearShare * static_cast<double>(columns_.support()));
  keep_best(near, static_cast<std::size_t>(few));
  for (const Score& score : near) add_column(score.j);
  keep_best(entering, columns_to_add(design, columns.pass_entries()));
  for (const Score& score : entering) add_column(score.j);
  entered_ = entering.size();
  fresh_ = true;
  return entered_ > 0;
}

void Pool::add(Index j, double w, double c, const Penalty& g) {
  contains_[j] = 1;
  columns_.column.push_back(j);
  columns_.g.push_back(g);
  columns_.w.push_back(w);
  columns_.c.push_back(c);
}

// Enough columns to make the matrix cost a share of this bin more, but in proportion to the
// support: more of it where the columns that entered before turned out useful.
std::size_t Pool::columns_to_add(const Design& design, double pass_entries) const {
  const double K = static_cast<double>(size()), entry = design.gram_entry_cost();
  const double pass = column_entry(design.sparse()) * pass_entries;
  const double matrix = 0.5 * K * K * entry;
  const double balanced = -K + std::sqrt(K * K + 2.0 * kGrowthShare * (pass + matrix) / entry);
  const double support = static_cast<double>(columns_.support());
  const double least = std::max<double>(kGrowthLeast, 0.5 * useful_ * support);
  const double most = std::max(kGrowthMost, useful_ * support);
  return static_cast<std::size_t>(std::min(std::max(balanced, least), most));
}

void Pool::move_to(const std::vector<double>& w) {
  columns_.w = w;
  judge_entered();
}

// After the first step with new columns: how many of them were worth it?
void Pool::judge_entered() {
  if (entered_ == 0) return;
  const auto first = columns_.w.end() - static_cast<std::ptrdiff_t>(entered_);
  const double zeros = static_cast<double>(std::count(first, columns_.w.end(), 0.0));
  useful_ = 0.5 * useful_ + 0.5 * (1.0 - zeros / static_cast<double>(entered_));
  entered_ = 0;
}

void Pool::correlate(const Design& design, const std::vector<double>& pull, Watch& watch) {
  design.correlate(columns_.column.data(), size(), pull.data(), columns_.c.data(), watch);
  fresh_ = true;
}

}  // namespace banditcd::logistic
