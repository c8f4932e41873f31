// Which columns the next model is about.
#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "logistic/solver.hpp"
#include "solve/strategy.hpp"

namespace banditcd::logistic {
namespace {

constexpr double kGrowthShare = 0.5;  // the matrix may grow by this share of what a bin costs
constexpr double kGrowthLeast = 10.0;
constexpr double kGrowthMost = 30.0;  // without any support; more than a few turn out useless
constexpr double kStayNear = 0.9;     // share of the threshold above which a column stays
constexpr double kNearShare = 0.1, kNearLeast = 10.0;  // of them, by the support, at most

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

// The columns in use, the best of those that nearly are and were there before, and the violators
// with the largest marginal decreases. Returns whether there is a violator.
bool LogisticSolver::choose_working() {
  std::vector<Score> near, entering;
  entering.reserve(evaluated_.size());
  const std::vector<char> before = in_working_;
  for (const Index j : working_.column) in_working_[j] = 0;
  working_ = {};
  // The mean curvature of a row stands for what a column will meet.
  const double flat = point_.totals().curvature / static_cast<double>(labels_.rows);
  for (const Index j : evaluated_) {
    const double u = std::abs(correlation_[j]), threshold = kStayNear * penalties_.threshold(j);
    if (coef_[j] == 0.0 && !(u >= threshold)) continue;
    const Penalty g = penalties_.at(j);
    const double excess = g.excess(correlation_[j]), curvature = flat * norms_->square[j] + g.m;
    if (coef_[j] != 0.0 || g.free())
      add_working(j);
    else if (before[j])
      near.push_back({(u - threshold) * (u - threshold) / curvature, j});
    else if (excess > 0.0)
      entering.push_back({excess * excess / curvature, j});
  }
  // All of them would be many where a model was rough, and its matrix grows by their square.
  const double few = std::max(kNearLeast, kNearShare * static_cast<double>(working_.support()));
  keep_best(near, static_cast<std::size_t>(few));
  for (const Score& score : near) add_working(score.j);
  keep_best(entering, columns_to_add(working_.size()));
  for (const Score& score : entering) add_working(score.j);
  entered_ = entering.size();
  working_fresh_ = true;
  return entered_ > 0;
}

void LogisticSolver::add_working(Index j) {
  in_working_[j] = 1;
  working_.column.push_back(j);
  working_.g.push_back(penalties_.at(j));
  working_.w.push_back(coef_[j]);
  working_.c.push_back(correlation_[j]);
}

// As many columns as make the matrix cost a share of this bin more, but in proportion to the
// support: more of it where the columns that entered before turned out useful.
std::size_t LogisticSolver::columns_to_add(std::size_t size) const {
  const double K = static_cast<double>(size), entry = design_->gram_entry_cost();
  const double pass = (design_->sparse() ? kSparseEntry : kDenseEntry) * pass_entries_;
  const double matrix = 0.5 * K * K * entry;
  const double balanced = -K + std::sqrt(K * K + 2.0 * kGrowthShare * (pass + matrix) / entry);
  const double support = static_cast<double>(working_.support());
  const double least = std::max(kGrowthLeast, 0.5 * useful_ * support);
  const double most = std::max(kGrowthMost, useful_ * support);
  return static_cast<std::size_t>(std::min(std::max(balanced, least), most));
}

// After the first step with new columns: how many of them were worth it?
void LogisticSolver::judge_entered() {
  if (entered_ == 0) return;
  const auto first = working_.w.end() - static_cast<std::ptrdiff_t>(entered_);
  const double zeros = static_cast<double>(std::count(first, working_.w.end(), 0.0));
  useful_ = 0.5 * useful_ + 0.5 * (1.0 - zeros / static_cast<double>(entered_));
  entered_ = 0;
}

}  // namespace banditcd::logistic
