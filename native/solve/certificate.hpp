// The duality gap of a point, from its residual and the correlations that matter.
//
// Primal: P(w) = 1/2 |R|^2 + sum_j g_j(w_j), R = y - X w (weighted, centered geometry).
// Dual:   D(theta) = <theta, y> - 1/2 |theta|^2 - sum_j g_j^*(<x_j, theta>).
// With theta = t R and u_j = <x_j, R> the gap is a sum of terms that are never negative,
//   P - D = (1 - t)^2 / 2 |R|^2 + sum_j [ g_j(w_j) + g_j^*(t u_j) - t w_j u_j ],
// so nothing cancels. t maximizes D on the interval where every conjugate is finite.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/penalty.hpp"

namespace banditcd {

struct Term {
  double w, u;
  Penalty g;

  // The part of the gap at scale t, g(w) = value: never negative. A column without penalty is
  // orthogonal to the residual up to rounding: charge the rounding.
  double gap(double value, double t) const {
    const double product = w * (t * u);
    if (!g.hard(u)) return std::max(0.0, value + g.conjugate(t * u) - product);
    return g.l == 0.0 ? std::abs(product) : std::max(0.0, value - product);
  }
};

// The largest t <= most at which every conjugate is finite.
double largest_scale(const std::vector<Term>& terms, double most);

// Terms of a certificate. A column at zero whose conjugate is infinite beyond +-l has no part in
// the gap but limits the scale, so that only the tightest limit is kept of all of those.
class Terms {
 public:
  void clear() {
    kept_.clear();
    most_ = kInfinity;
  }
  void add(double w, double u, const Penalty& g) {
    if (w == 0.0 && g.hard(u))
      limit(std::abs(u), g.l);
    else
      kept_.push_back({w, u, g});
  }
  // A column at zero with |<x_j, R>| = u and a conjugate that is infinite beyond l.
  void limit(double u, double l) {
    if (l > 0.0 && most_ * u > l) most_ = l / u;
  }
  const std::vector<Term>& kept() const { return kept_; }
  double most() const { return most_; }

 private:
  std::vector<Term> kept_;
  double most_ = kInfinity;
};

// A column without penalty counts as orthogonal to the residual below this cosine with y.
constexpr double kOrthogonal = 1e-10;
// Whether R, with <x_j, R> = u, is orthogonal to x_j up to rounding if column j has no penalty: the
// dual point must be, and no scale can mend that. square = |x_j|^2, null_square = |y|^2.
inline bool orthogonal_if_free(double u, const Penalty& g, double square, double null_square) {
  return g.l != 0.0 || !g.hard(u) || !(std::abs(u) > kOrthogonal * std::sqrt(square * null_square));
}

struct Certificate {
  double primal = 0.0, gap = kInfinity, scale = 0.0;
};

// terms: every column with w != 0 or |u| >= kNearThreshold * l. The others contribute nothing as
// long as t <= 1 / kNearThreshold. residual2 = |R|^2. The caller has checked that columns without
// any penalty are orthogonal to R up to rounding.
// most: no larger scale, whatever the terms allow.
Certificate certify(const std::vector<Term>& terms, double residual2, double most = kInfinity);
inline Certificate certify(const Terms& terms, double residual2) {
  return certify(terms.kept(), residual2, terms.most());
}

}  // namespace banditcd
