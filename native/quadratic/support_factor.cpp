#include "quadratic/support_factor.hpp"

#include <algorithm>

#include "kernels/prices.hpp"
#include "solve/strategy.hpp"

namespace banditcd {
namespace {

constexpr double kPivot = 1e-11;
constexpr double kRoughPivot = 1e-5;  // below it single precision decides what the pivot is

double pivot_tolerance(const Quadratic& problem) { return problem.rough ? kRoughPivot : kPivot; }

}  // namespace

double SupportFactor::cost(std::size_t size, std::size_t changes) const {
  const double p = static_cast<double>(size), k = static_cast<double>(changes);
  const double anew = kFactorShare * kCholesky * p * p * p / 6.0 + p * p;
  return valid_ ? std::min(anew, kUpdateEntry * k * p * p) : anew;
}

std::size_t SupportFactor::changes(const Quadratic& problem, std::size_t support) const {
  if (!valid_) return support;
  std::size_t common = 0;
  for (const std::size_t j : order_) common += problem.x[j] != 0.0 ? 1 : 0;
  return order_.size() + support - 2 * common;
}

double SupportFactor::diagonal(const Quadratic& problem, std::size_t j) const {
  return problem.curvature(j) * (1.0 + ridge_) + problem.g[j].m;
}

bool SupportFactor::factor(const Quadratic& problem, const std::vector<std::size_t>& wanted,
                           double ridge, Watch& watch) {
  wanted_ = wanted;
  if (valid_ && ridge == ridge_ && update(problem)) return true;
  ridge_ = ridge;
  return valid_ = start(problem, watch);
}

bool SupportFactor::start(const Quadratic& problem, Watch& watch) {
  const std::size_t size = wanted_.size();
  updates_ = 0;
  order_ = wanted_;
  place_.assign(problem.size, -1);
  cholesky_.resize(size, size / 8 + kLane);
  for (std::size_t i = 0; i < size; ++i) {
    const double* from = problem.row(order_[i]);
    double* to = cholesky_.row(i);
    for (std::size_t j = 0; j < i; ++j) to[j] = from[order_[j]];
    to[i] = diagonal(problem, order_[i]);
    place_[order_[i]] = static_cast<std::int32_t>(i);
  }
  return cholesky_.factor(pivot_tolerance(problem), watch);
}

// False if a new factorization is cheaper, or if a new column depends on the others.
bool SupportFactor::update(const Quadratic& problem) {
  stays_.assign(order_.size(), 0);
  std::vector<std::size_t> entering;
  for (const std::size_t j : wanted_) {
    if (place_[j] >= 0)
      stays_[place_[j]] = 1;
    else
      entering.push_back(j);
  }
  const std::size_t leaving = order_.size() + entering.size() - wanted_.size();
  const std::size_t most = std::max(order_.size(), wanted_.size()),
                    count = leaving + entering.size();
  if (!(cost(most, count) < cost(most, most)) || wanted_.size() > cholesky_.room()) return false;
  for (std::size_t t = order_.size(); leaving > 0 && t-- > 0;) {
    if (stays_[t]) continue;
    cholesky_.remove(t);
    place_[order_[t]] = -1;
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(t));
  }
  for (std::size_t t = 0; leaving > 0 && t < order_.size(); ++t)
    place_[order_[t]] = static_cast<std::int32_t>(t);
  for (const std::size_t j : entering) {
    const double* from = problem.row(j);
    double* to = cholesky_.row(order_.size());
    for (std::size_t t = 0; t < order_.size(); ++t) to[t] = from[order_[t]];
    to[order_.size()] = diagonal(problem, j);
    if (!cholesky_.append(pivot_tolerance(problem))) return false;
    place_[j] = static_cast<std::int32_t>(order_.size());
    order_.push_back(j);
  }
  updates_ += count;
  return true;
}

void SupportFactor::solve(std::vector<double>& b) {
  ordered_.resize(b.size());
  for (std::size_t t = 0; t < b.size(); ++t) ordered_[place_[wanted_[t]]] = b[t];
  cholesky_.solve(ordered_.data());
  for (std::size_t t = 0; t < b.size(); ++t) b[t] = ordered_[place_[wanted_[t]]];
}

}  // namespace banditcd
