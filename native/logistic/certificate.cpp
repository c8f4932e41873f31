#include "logistic/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::logistic {
namespace {

// The largest t <= 1 at which every conjugate is finite.
double largest_scale(const std::vector<Term>& terms) {
  double t = 1.0;
  for (const Term& term : terms)
    if (term.g.hard(term.u) && term.g.l > 0.0 && t * std::abs(term.u) > term.g.l)
      t = term.g.l / std::abs(term.u);
  return t;
}

// Whether a finite conjugate is positive at t: then a smaller scale may be better.
bool pays_conjugates(const std::vector<Term>& terms, double t) {
  return std::any_of(terms.begin(), terms.end(), [t](const Term& term) {
    return !term.g.hard(term.u) && term.g.excess(t * term.u) > 0.0;
  });
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

void Terms::clear() {
  terms_.clear();
  limiting_ = 0;
}

void Terms::add(const Term& term) {
  if (term.w != 0.0 || !term.g.hard(term.u) || term.g.l == 0.0) {
    terms_.push_back(term);
    return;
  }
  if (limiting_ == 0) {
    terms_.push_back(term);
    limiting_ = terms_.size();
    return;
  }
  Term& worst = terms_[limiting_ - 1];
  if (std::abs(term.u) * worst.g.l > std::abs(worst.u) * term.g.l) worst = term;
}

Certificate certify(const std::vector<Term>& terms, const Point& point) {
  Certificate out;
  out.primal = point.totals().loss;
  for (const Term& term : terms) out.primal += term.g.value(term.w);
  out.scale = largest_scale(terms);
  out.gap = gap_at(terms, point, out.scale);
  if (!pays_conjugates(terms, out.scale)) return out;
  // KL(t q || q) is about (1 - t)^2 / 2 times q / (1 - q): the best scale of that model.
  const double model = std::min(certify(terms, point.model_square()).scale, out.scale);
  const double gap = model > 0.0 ? gap_at(terms, point, model) : kInfinity;
  if (gap < out.gap) {
    out.gap = gap;
    out.scale = model;
  }
  return out;
}

}  // namespace banditcd::logistic
