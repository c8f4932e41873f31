// The duality gap of a point, from the correlations that matter; written for the logistic loss.
//
// Primal: P = sum_i s_i log(1 + exp(-m_i)) + sum_j g_j(w_j).
// Dual:   D(theta) = sum_i s_i H(p_i) - sum_j g_j^*(<x_j, theta>), H the binary entropy of
//         p_i = y_i theta_i / s_i in [0, 1], and sum_i theta_i = 0 if there is an intercept.
// With theta = t rho (rho_i = s_i y_i q_i, so p_i = t q_i) and u_j = <x_j, rho> the gap is a sum of
// terms that are never negative,
//   P - D = sum_i s_i KL(t q_i || q_i) + sum_j [ g_j(w_j) + g_j^*(t u_j) - t w_j u_j ],
// so nothing cancels. Another loss only changes the sum over the rows (loss.hpp).
#pragma once
#include "logistic/pool.hpp"
#include "solve/certificate.hpp"

namespace banditcd::logistic {

class Certifier {
 public:
  // square: |x_j|^2, borrowed. null_square: |rho|^2 of the null model.
  void start(const std::vector<double>& square, double null_square) {
    square_ = &square;
    null_square_ = null_square;
  }
  // The certificate of the point, from the columns that the last pass evaluated: the others are
  // zero, and below their thresholds. The intercept must be settled.
  Certificate certify(const LazyColumns& columns, const Point& point, const Penalties& penalties);
  // The certificate of the problem restricted to a pool, whose correlations are those of the point.
  Certificate certify(const PoolColumns& pool, const Point& point);

 private:
  void start_terms();
  void add(Index j, double w, double u, const Penalty& g);
  Certificate gap_of_terms(const Point& point) const;

  const std::vector<double>* square_ = nullptr;
  double null_square_ = 0.0;
  Terms terms_;
  bool feasible_ = true;  // every column without penalty is orthogonal to rho up to rounding
};

}  // namespace banditcd::logistic
