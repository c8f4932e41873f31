#include "svm/free_rows.hpp"

#include "svm/strategy.hpp"

namespace banditcd::svm {

FreeRows::FreeRows(const Problem& problem) : problem_(problem), is_free_(problem.size(), 0) {
  hessian_.resize(problem.dim());
  hessian_.round(may_round());
}

// Single precision is enough for a direction that points the right way; the hinge needs more steps,
// and each of them a good one.
bool FreeRows::may_round() const {
  double largest = 0.0;
  for (std::size_t t = 0; t < problem_.size(); ++t)
    largest = std::max(largest, problem_.cost[t] * problem_.square[t]);
  return problem_.loss != Loss::kHinge && largest < kRoughMost;
}

void FreeRows::set(Index t, bool is_free) {
  if (is_free == (is_free_[t] != 0)) return;
  is_free_[t] = is_free;
  const Index id = problem_.ids[t];
  Changes& other = is_free ? leaving_ : entering_;
  // A sample that changes sides keeps its part of the Hessian.
  if (problem_.paired() && !other.ids.empty() && other.ids.back() == (id ^ 1))
    other.pop();
  else
    (is_free ? entering_ : leaving_).push(id, problem_.cost[t]);
}

void FreeRows::update(Watch& watch) {
  count_ += entering_.size();
  count_ -= leaving_.size();
  if (entering_.size() + leaving_.size() <= count_) {
    hessian_.add(*problem_.rows, entering_, 1.0, watch);
    hessian_.add(*problem_.rows, leaving_, -1.0, watch);
  } else {
    build(watch);
  }
  entering_.clear();
  leaving_.clear();
}

void FreeRows::build(Watch& watch) {
  hessian_.clear();
  entering_.clear();
  for (std::size_t t = 0; t < problem_.size(); ++t)
    if (is_free_[t]) entering_.push(problem_.ids[t], problem_.cost[t]);
  hessian_.add(*problem_.rows, entering_, 1.0, watch);
  entering_.clear();
}

void FreeRows::build_exactly(Watch& watch) {
  if (!hessian_.rough()) return;
  hessian_.round(false);
  build(watch);
}

bool FreeRows::direction(double scale, const std::vector<double>& g, std::vector<double>& d,
                         Watch& watch) {
  if (!hessian_.factor(scale, problem_.penalized(), watch)) {
    if (!hessian_.rough()) return false;
    build_exactly(watch);
    return direction(scale, g, d, watch);
  }
  for (std::size_t j = 0; j < d.size(); ++j) d[j] = -g[j];
  hessian_.solve(d.data());
  return true;
}

}  // namespace banditcd::svm
