#include "svm/hessian.hpp"

#include <algorithm>
#include <cmath>

#include "svm/strategy.hpp"

namespace banditcd::svm {

Hessian::Hessian(const Problem& problem)
    : problem_(problem),
      is_free_(problem.size(), 0),
      stride_(padded(problem.dim())),
      rough_(may_round()) {
  sum_.reserve(problem.dim() * stride_);
  factor_.resize(problem.dim());
  std::fill_n(sum_.data(), problem.dim() * stride_, 0.0);
}

// Single precision is enough for a direction that points the right way; the hinge needs more steps,
// and each of them a good one.
bool Hessian::may_round() const {
  double largest = 0.0;
  for (std::size_t t = 0; t < problem_.size(); ++t)
    largest = std::max(largest, problem_.cost[t] * problem_.square(t));
  return problem_.loss != Loss::kHinge && largest < kRoughMost;
}

void Hessian::change(Index t, bool is_free) {
  is_free_[t] = is_free;
  if (free_ == 0) return;  // the next update builds the sum of all
  std::vector<Index>& other = is_free ? leaving_ : entering_;
  // A sample that changes sides keeps its part of the Hessian.
  if (problem_.paired() && !other.empty() && other.back() == (t ^ 1))
    other.pop_back();
  else
    (is_free ? entering_ : leaving_).push_back(t);
}

void Hessian::update(Watch& watch) {
  if (free_ == 0) {
    free_ = static_cast<std::size_t>(std::count(is_free_.begin(), is_free_.end(), 1));
    return build(watch);
  }
  free_ += entering_.size();
  free_ -= leaving_.size();
  if (entering_.size() + leaving_.size() <= free_) {
    add(entering_, 1.0, watch);
    add(leaving_, -1.0, watch);
  } else {
    build(watch);
  }
  forget(entering_);
  forget(leaving_);
}

// The first changes are many, and take their memory with them.
void Hessian::forget(std::vector<Index>& rows) {
  rows.clear();
  if (rows.capacity() > kRowsOfPart) std::vector<Index>().swap(rows);
}

void Hessian::build(Watch& watch) {
  std::fill_n(sum_.data(), problem_.dim() * stride_, 0.0);
  entering_.clear();
  for (std::size_t t = 0; t < problem_.size(); ++t) {
    if (!is_free_[t]) continue;
    // Neighbors are added together: they may be two sides of one sample.
    if (entering_.size() >= kRowsOfPart && (t % 2 == 0 || !is_free_[t - 1])) {
      add(entering_, 1.0, watch);
      entering_.clear();
    }
    entering_.push_back(static_cast<Index>(t));
  }
  add(entering_, 1.0, watch);
  entering_.clear();
}

void Hessian::add(const std::vector<Index>& rows, double sign, Watch& watch) {
  Changes part;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto t = static_cast<std::size_t>(rows[k]);
    if (part.full() && (t % 2 == 0 || rows[k - 1] + 1 != rows[k])) {
      add(part, sign, watch);
      part.clear();
    }
    part.push(problem_.ids[t], problem_.cost[t]);
  }
  if (part.size() > 0) add(part, sign, watch);
}

void Hessian::add(const Changes& rows, double sign, Watch& watch) {
  const Triangle target{sum_.data(), stride_};
  const Outer outer{rows.ids.data(), rows.amounts.data(), rows.size(), sign};
  if (rough_ && problem_.rows->add_outer_roughly(outer, target, watch)) return;
  problem_.rows->add_outer(outer, target, watch);
}

void Hessian::build_exactly(Watch& watch) {
  if (!rough_) return;
  rough_ = false;
  build(watch);
}

bool Hessian::direction(double scale, const std::vector<double>& g, std::vector<double>& d,
                        Watch& watch) {
  if (!factor(scale, watch)) {
    if (!rough_) return false;
    build_exactly(watch);
    return direction(scale, g, d, watch);
  }
  for (std::size_t j = 0; j < d.size(); ++j) d[j] = -g[j];
  d.back() *= unit_;
  factor_.solve(d.data());
  d.back() *= unit_;
  return true;
}

// The unit of a free intercept, a power of two: its curvature is the sum of C over the free rows,
// which is nothing beside the 1 of the penalized coordinates where X is large and C small.
double Hessian::unit_of_bias(double scale) const {
  constexpr double least = 1e-3;
  if (!problem_.free_bias) return 1.0;
  const std::size_t last = problem_.dim() - 1;
  const double curvature = scale * sum_.data()[last * stride_ + last];
  if (!(curvature > 0.0 && curvature < least)) return 1.0;
  return std::ldexp(1.0, -std::ilogb(curvature) / 2);
}

bool Hessian::factor(double scale, Watch& watch) {
  const std::size_t dim = problem_.dim();
  unit_ = unit_of_bias(scale);
  for (const double ridge : {0.0, 1e-13, 1e-10, 1e-7}) {
    double largest = 1.0;
    for (std::size_t i = 0; i < dim; ++i) {
      const double* from = sum_.data() + i * stride_;
      double* to = factor_.row(i);
      for (std::size_t j = 0; j <= i; ++j) to[j] = scale * from[j];
      if (i + 1 == dim && unit_ != 1.0) {
        for (std::size_t j = 0; j <= i; ++j) to[j] *= unit_;
        to[i] *= unit_;
      }
      largest = std::max(largest, to[i]);
    }
    for (std::size_t i = 0; i < dim; ++i) {
      double* diagonal = factor_.row(i) + i;
      // A free intercept without free rows has no curvature at all: a tiny one leaves it in place.
      *diagonal += i < problem_.penalized() ? 1.0 : 1e-12 * std::max(*diagonal, 1e-3);
      *diagonal += ridge * largest;
    }
    if (factor_.factor(1e-15, watch)) return true;
  }
  return false;
}

}  // namespace banditcd::svm
