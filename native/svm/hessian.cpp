#include "svm/hessian.hpp"

#include <algorithm>
#include <cmath>

#include "svm/strategy.hpp"

namespace banditcd::svm {
namespace {

constexpr double kLeastPivot = 1e-15;  // of its diagonal entry: below, rounding has made it

}  // namespace

Hessian::Hessian(const Problem& problem)
    : Directions(problem), stride_(padded(problem.dim())), rough_(may_round()) {
  sum_.reserve(problem.dim() * stride_);
  factor_.resize(problem.dim());
  clear();
}

// Single precision is enough for a direction that points the right way; the hinge needs more steps,
// and each of them a good one.
bool Hessian::may_round() const {
  double largest = 0.0;
  for (std::size_t t = 0; t < problem_.size(); ++t)
    largest = std::max(largest, problem_.cost(t) * problem_.square(t));
  return problem_.loss != Loss::kHinge && largest < kRoughMost;
}

void Hessian::clear() { std::fill_n(sum_.data(), problem_.dim() * stride_, 0.0); }

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
  // Shares of the largest entry: rounding takes up to the first of them, and the last leaves a
  // direction that still descends.
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
    if (factor_.factor(kLeastPivot, watch)) return true;
  }
  return false;
}

}  // namespace banditcd::svm
