#include "logistic/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::logistic {
namespace {

using record::Certificate;
using record::Term;

// The largest t <= 1 that brings every correlation to its threshold; only those whose conjugate
// would be infinite beyond it, or all.
double largest_scale(const std::vector<Term>& terms, bool all) {
  double t = 1.0;
  for (const Term& term : terms)
    if ((all || term.g.hard(term.u)) && term.g.l > 0.0 && t * std::abs(term.u) > term.g.l)
      t = term.g.l / std::abs(term.u);
  return t;
}

double gap_at(const std::vector<Term>& terms, const Point& point, double t) {
  double gap = point.divergence(t) + std::abs(t * point.intercept() * point.totals().pull);
  for (const Term& term : terms) {
    const double value = term.g.value(term.w), u = t * term.u;
    const bool hard = term.g.hard(term.u);
    const double conjugate = hard ? 0.0 : term.g.conjugate(u);
    // A column without penalty is orthogonal to rho up to rounding: charge the rounding.
    const bool orthogonal = term.g.l == 0.0 && hard;
    gap += orthogonal ? std::abs(term.w * u) : std::max(0.0, value + conjugate - term.w * u);
  }
  return gap;
}

}  // namespace

Certificate certify(const std::vector<Term>& terms, const Point& point) {
  Certificate out;
  out.primal = point.totals().loss;
  for (const Term& term : terms) out.primal += term.g.value(term.w);
  out.scale = largest_scale(terms, false);
  out.gap = gap_at(terms, point, out.scale);
  // Where the conjugate is finite it may still be cheaper to stay below the threshold.
  const double cautious = largest_scale(terms, true);
  if (cautious < out.scale) {
    const double gap = gap_at(terms, point, cautious);
    if (gap < out.gap) {
      out.gap = gap;
      out.scale = cautious;
    }
  }
  return out;
}

}  // namespace banditcd::logistic
