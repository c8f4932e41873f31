#include "svm/certificate.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace banditcd::svm {
namespace {

double label(const Problem& problem, std::size_t t) { return problem.rows->label(problem.ids[t]); }

// The slope of the loss rises by C_t at each kink, from minus the cost of the positive class, and
// with the ridge in between.
double best_hinge_bias(const Problem& problem, const std::vector<double>& kink, double ridge) {
  std::vector<Index> order(kink.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index s, Index t) { return kink[s] < kink[t]; });
  double slope = 0.0;
  for (std::size_t t = 0; t < kink.size(); ++t)
    if (label(problem, t) > 0.0) slope -= problem.cost(t);
  for (const Index t : order) {
    if (slope + ridge * kink[t] > 0.0) return -slope / ridge;
    slope += problem.cost(t);
    if (slope + ridge * kink[t] >= 0.0) return kink[t];
  }
  if (ridge > 0.0) return -slope / ridge;
  return order.empty() ? 0.0 : kink[order.back()];
}

double best_squared_bias(const Problem& problem, const std::vector<double>& kink, double ridge) {
  if (kink.empty()) return 0.0;
  double low = *std::min_element(kink.begin(), kink.end());
  double high = *std::max_element(kink.begin(), kink.end());
  if (ridge > 0.0) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  double b = 0.5 * (low + high);
  for (int step = 0; step < 200 && low < high; ++step) {
    double slope = 0.5 * ridge * b, curvature = 0.5 * ridge;
    for (std::size_t t = 0; t < kink.size(); ++t) {
      const double y = label(problem, t), u = y * (kink[t] - b);
      if (u <= 0.0) continue;
      slope -= problem.cost(t) * y * u;
      curvature += problem.cost(t);
    }
    if (slope == 0.0) return b;
    (slope < 0.0 ? low : high) = b;
    double next = curvature > 0.0 ? b - slope / curvature : 0.5 * (low + high);
    // An end of the bracket was tried: two kinks would send Newton's steps to and fro between both.
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == b) return b;
    b = next;
  }
  return b;
}

}  // namespace

double best_bias(const Problem& problem, const std::vector<double>& margin, double ridge) {
  std::vector<double> kink(margin.size());
  for (std::size_t t = 0; t < kink.size(); ++t)  // where the margin reaches its goal
    kink[t] = label(problem, t) * (problem.goal_of(t) - margin[t]);
  return problem.loss == Loss::kHinge ? best_hinge_bias(problem, kink, ridge)
                                      : best_squared_bias(problem, kink, ridge);
}

Constant best_constant(const Problem& problem) {
  const double c = problem.rows->constant();
  const double ridge = c == 0.0 || problem.free_bias ? 0.0 : 1.0 / (c * c);
  // A constant fits if it is not below the positive goals, and not above the negative ones.
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t t = 0; t < problem.size(); ++t) {
    if (label(problem, t) > 0.0)
      low = std::max(low, problem.goal_of(t));
    else
      high = std::min(high, -problem.goal_of(t));
  }
  Constant out;
  if (problem.size() == 0 || (low <= 0.0 && high >= 0.0)) return out;
  if (problem.free_bias && low <= high) {
    out.value = low + 0.5 * (high - low);
    return out;
  }
  out.fits = false;
  if (c != 0.0) out.value = best_bias(problem, std::vector<double>(problem.size(), 0.0), ridge);
  out.objective = 0.5 * ridge * out.value * out.value;
  for (std::size_t t = 0; t < problem.size(); ++t)
    out.objective += problem.cost(t) *
                     loss_value(problem.loss, problem.goal_of(t) - label(problem, t) * out.value);
  return out;
}

double null_objective(const Problem& problem) {
  if (problem.paired()) return problem.null;
  if (!problem.free_bias) return problem.total_cost();
  double sum[2] = {0.0, 0.0};
  for (std::size_t t = 0; t < problem.size(); ++t) sum[label(problem, t) > 0.0] += problem.cost(t);
  if (problem.loss == Loss::kHinge) return 2.0 * std::min(sum[0], sum[1]);
  return sum[0] + sum[1] > 0.0 ? 4.0 * sum[0] * (sum[1] / (sum[0] + sum[1])) : 0.0;
}

void balance(const Problem& problem, std::vector<double>& a) {
  double sum[2] = {0.0, 0.0};
  for (std::size_t t = 0; t < a.size(); ++t) sum[label(problem, t) > 0.0] += a[t];
  if (sum[0] == sum[1]) return;
  const bool heavier = sum[1] > sum[0];
  const double factor = sum[!heavier] / sum[heavier];
  for (std::size_t t = 0; t < a.size(); ++t)
    if ((label(problem, t) > 0.0) == heavier) a[t] *= factor;
}

Certificate certify(const Problem& problem, Bias bias, std::vector<double>& w,
                    std::vector<double>& a) {
  const std::size_t n = problem.size();
  const bool best = problem.free_bias && bias == Bias::kBest;
  std::vector<double> margin(n), v(problem.dim(), 0.0);
  if (problem.free_bias) balance(problem, a);
  if (best) w.back() = 0.0;
  problem.rows->margins_and_sum(problem.ids.data(), a.data(), n, w.data(), margin.data(), v.data());
  if (best) {
    w.back() = best_bias(problem, margin);
    for (std::size_t t = 0; t < n; ++t) margin[t] += label(problem, t) * w.back();
  }
  Certificate out;
  out.gap = 0.0;
  for (std::size_t j = 0; j < problem.penalized(); ++j) {
    out.primal += 0.5 * w[j] * w[j];
    out.gap += 0.5 * (w[j] - v[j]) * (w[j] - v[j]);
  }
  for (std::size_t t = 0; t < n; ++t) {
    out.primal += problem.cost(t) * loss_value(problem.loss, problem.goal_of(t) - margin[t]);
    out.gap += gap_term(problem.loss, problem.cost(t), a[t], problem.goal_of(t) - margin[t]);
  }
  return out;
}

Certificate certify_from(const Problem& problem, double terms, const std::vector<double>& w,
                         const std::vector<double>& a) {
  std::vector<double> v(problem.dim(), 0.0);
  problem.rows->accumulate(problem.ids.data(), a.data(), a.size(), v.data());
  Certificate out;
  out.gap = terms;
  for (std::size_t j = 0; j < v.size(); ++j) out.gap += 0.5 * (w[j] - v[j]) * (w[j] - v[j]);
  out.primal = dual_value(problem, v, [&](std::size_t t) { return a[t]; }) + out.gap;
  return out;
}

Certificate certify_near(const Problem& problem, const Known& known, const std::vector<double>& w,
                         const std::vector<double>& a) {
  Certificate out;
  out.gap = known.terms + 0.5 * known.drift * known.drift;
  out.primal = dual_value(problem, w, [&](std::size_t t) { return a[t]; }) + out.gap;
  return out;
}

}  // namespace banditcd::svm
