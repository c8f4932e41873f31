#include "quadratic/line.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd {
namespace {

constexpr double kPivot = 1e-11;

}  // namespace

bool SolutionLine::start(Quadratic& at, double l1, Watch& watch) {
  reach_ = 0.0;
  if (!(l1 > 0.0) || !collect(at, l1) || !solve(at, watch)) return false;
  for (std::size_t k = 0; k < support_.size(); ++k) {
    const double x = at.x[support_[k]];
    if (at.g[support_[k]].l > 0.0 && !(x * (x + correction_[k]) > 0.0)) return false;
  }
  for (std::size_t k = 0; k < support_.size(); ++k) at.x[support_[k]] += correction_[k];
  at.recompute(watch);
  find_reach(at, l1);
  return true;
}

// The support (with the columns that have no penalty), its gradient and the change of its
// thresholds.
bool SolutionLine::collect(const Quadratic& at, double l1) {
  support_.clear();
  correction_.clear();
  direction_.clear();
  for (std::size_t j = 0; j < at.size; ++j) {
    const Penalty& g = at.g[j];
    if (g.m != 0.0 || g.lower != -kInfinity || g.upper != kInfinity) return false;
    if (at.x[j] == 0.0 && g.l > 0.0) continue;
    const double slope = at.x[j] > 0.0 ? g.l : -g.l;
    support_.push_back(j);
    correction_.push_back(at.c[j] - slope);
    direction_.push_back(slope / l1);
  }
  return true;
}

bool SolutionLine::solve(const Quadratic& at, Watch& watch) {
  const std::size_t size = support_.size();
  if (size == 0) return true;
  factor_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double* from = at.row(support_[i]);
    double* to = factor_.row(i);
    for (std::size_t j = 0; j <= i; ++j) to[j] = from[support_[j]];
  }
  if (!factor_.factor(kPivot, watch)) return false;
  factor_.solve(correction_.data());
  factor_.solve(direction_.data());
  return true;
}

// The first coefficient that reaches zero, or column that reaches its threshold.
void SolutionLine::find_reach(const Quadratic& at, double l1) {
  image_.assign(at.size, 0.0);
  for (std::size_t k = 0; k < support_.size(); ++k)
    axpy(direction_[k], at.row(support_[k]), image_.data(), at.size);
  reach_ = l1;
  for (std::size_t k = 0; k < support_.size(); ++k) {
    const double x = at.x[support_[k]];
    if (at.g[support_[k]].l > 0.0 && x * direction_[k] < 0.0)
      reach_ = std::min(reach_, -x / direction_[k]);
  }
  for (std::size_t j = 0; j < at.size; ++j) {
    const double l = at.g[j].l, share = l / l1;
    if (at.x[j] != 0.0 || l == 0.0) continue;
    for (const double sign : {1.0, -1.0})
      if (const double closing = share - sign * image_[j]; closing > 0.0)
        reach_ = std::min(reach_, std::max(0.0, l - sign * at.c[j]) / closing);
  }
}

void SolutionLine::follow(Quadratic& at, double fall, Watch& watch) const {
  for (std::size_t k = 0; k < support_.size(); ++k) at.x[support_[k]] += fall * direction_[k];
  at.recompute(watch);
}

}  // namespace banditcd
