// The duality gap of a logistic point, from the correlations that matter.
//
// Primal: P = sum_i s_i log(1 + exp(-m_i)) + sum_j g_j(w_j).
// Dual:   D(theta) = sum_i s_i H(p_i) - sum_j g_j^*(<x_j, theta>), p_i = y_i theta_i / s_i in [0,
// 1],
//         H the binary entropy, and sum_i theta_i = 0 if there is an intercept.
// With theta = t rho (rho_i = s_i y_i q_i, so p_i = t q_i) and u_j = <x_j, rho> the gap is a sum of
// terms that are never negative,
//   P - D = sum_i s_i KL(t q_i || q_i) + sum_j [ g_j(w_j) + g_j^*(t u_j) - t w_j u_j ],
// so nothing cancels.
#pragma once
#include <cstddef>
#include <vector>

#include "logistic/point.hpp"
#include "solve/certificate.hpp"

namespace banditcd::logistic {

// The terms of the sums over columns. Of the columns at zero whose conjugate is infinite beyond the
// threshold, only the one that limits the scale most is kept: the others add nothing.
class Terms {
 public:
  void clear();
  void add(const Term& term);
  const std::vector<Term>& all() const { return terms_; }

 private:
  std::vector<Term> terms_;
  std::size_t limiting_ = 0;  // its place + 1; 0: none yet
};

// terms: of every column with w != 0 or |u| >= kNearThreshold * l. The caller has checked that
// columns without any penalty are orthogonal to rho up to rounding, and settled the intercept.
Certificate certify(const std::vector<Term>& terms, const Point& point);

}  // namespace banditcd::logistic
