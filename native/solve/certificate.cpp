#include "solve/certificate.hpp"

#include "solve/strategy.hpp"

namespace banditcd {
namespace {

constexpr int kNewtonSteps = 40;

// D'(t) = <R, y> - t |R|^2 - sum u_j w_j^*(t u_j) and D''(t), by the soft terms.
struct Slope {
  double first, second;
};
Slope dual_slope(const std::vector<Term>& terms, double correlation, double residual2, double t) {
  Slope slope{correlation - t * residual2, -residual2};
  for (const Term& term : terms) {
    if (term.g.hard(term.u)) continue;
    const double w = term.g.conjugate_point(t * term.u);
    if (w == 0.0) continue;
    slope.first -= term.u * w;
    if (term.g.m > 0.0 && w > term.g.lower && w < term.g.upper)
      slope.second -= term.u * term.u / term.g.m;
  }
  return slope;
}

// Safeguarded Newton on the concave dual, whose slope is piecewise linear.
double best_scale(const std::vector<Term>& terms, double residual2, double most) {
  double correlation = residual2;  // <R, y> = |R|^2 + <R, X w>
  for (const Term& term : terms) correlation += term.w * term.u;
  double low = 0.0, high = largest_scale(terms, std::min(most, 1.0 / kNearThreshold));
  if (dual_slope(terms, correlation, residual2, high).first >= 0.0) return high;
  double t = std::min(1.0, high);
  for (int step = 0; step < kNewtonSteps && high - low > 1e-15 * high; ++step) {
    const Slope slope = dual_slope(terms, correlation, residual2, t);
    if (slope.first == 0.0) break;
    (slope.first > 0.0 ? low : high) = t;
    double next = slope.second < 0.0 ? t - slope.first / slope.second : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == t) break;
    t = next;
  }
  return t;
}

// The largest t at which every conjugate of a column with an L1 part is zero.
double scale_into_the_box(const std::vector<Term>& terms) {
  double t = 1.0;
  for (const Term& term : terms)
    if (term.g.l > 0.0 && t * std::abs(term.u) > term.g.l) t = term.g.l / std::abs(term.u);
  return t;
}

Certificate certify_at(const std::vector<Term>& terms, double residual2, double t) {
  Certificate out{0.5 * residual2, 0.5 * (1.0 - t) * (1.0 - t) * residual2, t};
  for (const Term& term : terms) {
    const double value = term.g.value(term.w);
    out.primal += value;
    out.gap += term.gap(value, t);
  }
  return out;
}

// An L2 part far below the squares of X is no use to a dual point: its conjugate divides rounding
// by m, and the best scale is inside the box by less than a slope can tell.
bool has_soft_box(const std::vector<Term>& terms) {
  for (const Term& term : terms)
    if (term.g.m > 0.0 && term.g.l > 0.0) return true;
  return false;
}

}  // namespace

double largest_scale(const std::vector<Term>& terms, double most) {
  double t = most;
  for (const Term& term : terms)
    if (term.g.hard(term.u) && term.g.l > 0.0 && t * std::abs(term.u) > term.g.l)
      t = term.g.l / std::abs(term.u);
  return t;
}

Certificate certify(const std::vector<Term>& terms, double residual2, double most) {
  const double scale = residual2 > 0.0 ? best_scale(terms, residual2, most) : 1.0;
  const Certificate best = certify_at(terms, residual2, scale);
  if (!has_soft_box(terms)) return best;
  const Certificate inside =
      certify_at(terms, residual2, std::min(scale_into_the_box(terms), most));
  return inside.gap < 0.5 * best.gap ? inside : best;  // by more than rounding, or not at all
}

}  // namespace banditcd
