// The duality gap of a pair (w, a) from true quantities, a free intercept included.
#pragma once
#include <vector>

#include "kernels/vector.hpp"
#include "solve/certificate.hpp"
#include "svm/problem.hpp"

namespace banditcd::svm {

// The intercept b that minimizes sum_i C_i loss(m_i + y_i b) for margins without it: exact, by a
// walk over the sorted kinks (hinge) or a safeguarded Newton iteration (squared hinge). With a
// ridge, 1/2 ridge b^2 is added.
double best_bias(const Problem& problem, const std::vector<double>& margin, double ridge = 0.0);

// The null model of rows with goals: the best constant prediction b, penalized by 1/2 (b / c)^2 if
// c, the constant feature, is penalized, and 0 without one. Exactly 0 where a constant fits.
struct Constant {
  double value = 0.0, objective = 0.0;
  bool fits = true;
};
Constant best_constant(const Problem& problem);

// The objective of w = 0 with, if it is free, the best intercept.
double null_objective(const Problem& problem);

// D(a), with v = sum_i a_i z_i and dual_of(t) = a_t; not for a free intercept.
template <class Duals>
double dual_value(const Problem& problem, const std::vector<double>& v, const Duals& dual_of) {
  double dual = -0.5 * dot(v.data(), v.data(), v.size());
  for (std::size_t t = 0; t < problem.size(); ++t) {
    const double a = dual_of(t);
    dual += a * problem.goal_of(t);
    if (problem.loss == Loss::kSquaredHinge) dual -= squared_conjugate(problem.cost(t), a);
  }
  return dual;
}

// Makes sum_i y_i a_i = 0 by scaling the heavier class down, which never leaves the box.
void balance(const Problem& problem, std::vector<double>& a);

enum class Bias { kKeep, kBest };
// P(w) - D(a) = 1/2 |w - v|^2 + sum of gap terms. With a free intercept, a is balanced first and,
// for kBest, the last coordinate of w is replaced by the best intercept.
Certificate certify(const Problem& problem, Bias bias, std::vector<double>& w,
                    std::vector<double>& a);
// The certificate where the sum of the gap terms was just read off the data at this very w, so that
// only v has to be formed anew; not for a free intercept.
Certificate certify_from(const Problem& problem, double terms, const std::vector<double>& w,
                         const std::vector<double>& a);
// The certificate where, besides, |w - v| is known to be at most `drift`: nothing is read, and the
// gap is an upper bound, 1/2 drift^2 above the sum of the terms.
struct Known {
  double terms, drift;
};
Certificate certify_near(const Problem& problem, const Known& known, const std::vector<double>& w,
                         const std::vector<double>& a);

}  // namespace banditcd::svm
