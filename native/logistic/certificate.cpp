#include "logistic/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::logistic {
namespace {

// Whether a finite conjugate is positive at t: then a smaller scale may be better.
bool pays_conjugates(const std::vector<Term>& terms, double t) {
  return std::any_of(terms.begin(), terms.end(), [t](const Term& term) {
    return !term.g.hard(term.u) && term.g.excess(t * term.u) > 0.0;
  });
}

double gap_at(const std::vector<Term>& terms, const Point& point, double t) {
  double gap = point.divergence(t) + std::abs(t * point.intercept() * point.totals().pull);
  for (const Term& term : terms) gap += term.gap(term.g.value(term.w), t);
  return gap;
}

}  // namespace

Certificate Certifier::certify(const LazyColumns& columns, const Point& point,
                               const Penalties& penalties) {
  start_terms();
  const bool plain = penalties.plain();
  for (const Index j : columns.evaluated()) {
    const double w = point.coef()[j], u = columns.correlation(j);
    if (w == 0.0) {
      const double threshold = penalties.threshold(j);
      if (!(std::abs(u) >= kNearThreshold * threshold)) continue;
      if (plain && threshold > 0.0) {
        terms_.limit(std::abs(u), threshold);
        continue;
      }
    }
    add(j, w, u, penalties.at(j));
  }
  return gap_of_terms(point);
}

Certificate Certifier::certify(const PoolColumns& pool, const Point& point) {
  start_terms();
  for (std::size_t t = 0; t < pool.size(); ++t)
    if (pool.w[t] != 0.0 || std::abs(pool.c[t]) >= kNearThreshold * pool.g[t].l)
      add(pool.column[t], pool.w[t], pool.c[t], pool.g[t]);
  return gap_of_terms(point);
}

void Certifier::start_terms() {
  terms_.clear();
  feasible_ = true;
}

void Certifier::add(Index j, double w, double u, const Penalty& g) {
  terms_.add(w, u, g);
  feasible_ = feasible_ && orthogonal_if_free(u, g, (*square_)[j], null_square_);
}

Certificate Certifier::gap_of_terms(const Point& point) const {
  const std::vector<Term>& terms = terms_.kept();
  Certificate out;
  out.primal = point.totals().loss;
  for (const Term& term : terms) out.primal += term.g.value(term.w);
  if (!feasible_) return out;
  out.scale = largest_scale(terms, std::min(1.0, terms_.most()));
  out.gap = gap_at(terms, point, out.scale);
  if (!pays_conjugates(terms, out.scale)) return out;
  // KL(t q || q) is about (1 - t)^2 / 2 times q / (1 - q): the best scale of that model.
  const double model = std::min(banditcd::certify(terms_, point.model_square()).scale, out.scale);
  const double gap = model > 0.0 ? gap_at(terms, point, model) : kInfinity;
  if (gap < out.gap) {
    out.gap = gap;
    out.scale = model;
  }
  return out;
}

}  // namespace banditcd::logistic
