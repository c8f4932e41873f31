// The support vector problem, in sums:
//
//   P(w) = 1/2 |w|^2 + sum_i C_i loss(m_i),   m_i = z_i . w,   z_i = y_i (x_i, c),
//   D(a) = sum_i a_i - 1/2 |v|^2 [- sum_i a_i^2 / (4 C_i)],    v = sum_i a_i z_i,
//
// loss(m) = (1 - m)+ with 0 <= a_i <= C_i, or (1 - m)+^2 with a_i >= 0 and the bracket. The
// constant c is 0 (no intercept), the scaling of a penalized intercept, or 1 for a free one, whose
// weight is left out of |w|^2 and which asks sum_i y_i a_i = 0 of the dual (Hsieh et al., ICML
// 2008; Cortes and Vapnik, 1995).
//
// Regression has two rows for each sample (rows.hpp), whose losses are (g_i - m)+ and its
// square with goals g_i of their own in the place of 1: then a_i g_i takes the place of a_i.
#pragma once
#include <algorithm>
#include <vector>

#include "svm/rows.hpp"

namespace banditcd::svm {

enum class Loss { kHinge, kSquaredHinge };

// The rows that matter (positive cost, not empty), by their place in the data; all else by place in
// this list.
struct Problem {
  Rows* rows = nullptr;
  Loss loss = Loss::kHinge;
  bool free_bias = false;
  double C = 1.0;
  const double* weights = nullptr;  // of all stored rows; null means ones
  const double* squares = nullptr;  // |x_i|^2 of all stored rows
  std::vector<Index> ids;
  double null = 0.0;     // with goals: the objective of the best constant
  double largest = 0.0;  // of all |x_i|^2 of the data

  // One more row.
  void add(Index id) {
    ids.push_back(id);
    total_cost_ += cost(ids.size() - 1);
    total_square_ += square(ids.size() - 1);
  }

  std::size_t size() const { return ids.size(); }
  std::size_t dim() const { return rows->dim(); }
  // Coordinates of w that are penalized: all but a free intercept.
  std::size_t penalized() const { return dim() - (free_bias ? 1 : 0); }
  // C_i
  double cost(std::size_t t) const {
    return weights == nullptr ? C : C * weights[rows->stored_of(static_cast<std::size_t>(ids[t]))];
  }
  double total_cost() const { return total_cost_; }
  // The margin at which a row begins to cost nothing.
  double goal_of(std::size_t t) const { return rows->goal(ids[t]); }
  // |z_i|^2, the constant included.
  double square(std::size_t t) const {
    const double c = rows->constant();
    return squares[rows->stored_of(static_cast<std::size_t>(ids[t]))] + c * c;
  }
  // Neighbors 2 k and 2 k + 1 are the two sides of one sample.
  bool paired() const { return rows->paired(); }
  // The objective that accuracies are relative to, but for a free intercept.
  double reference() const { return paired() ? null : total_cost(); }
  double mean_square() const {
    return ids.empty() ? 0.0 : total_square_ / static_cast<double>(ids.size());
  }

 private:
  double total_cost_ = 0.0, total_square_ = 0.0;  // asked for many times in a fit
};

// The conjugate of the squared hinge, a^2 / (4 C); a is about as small as C, so that its square may
// underflow.
inline double squared_conjugate(double cost, double a) { return a * (a / (4.0 * cost)); }

// The part of one row in the gap beside 1/2 |w - v|^2: loss + conjugate - a u, u = goal - margin,
// in a form whose terms are never negative and are exactly zero where the row is optimal.
inline double gap_term(Loss loss, double cost, double a, double u) {
  if (loss == Loss::kHinge) return u > 0.0 ? (cost - a) * u : -a * u;
  if (u <= 0.0) return -a * u + squared_conjugate(cost, a);
  return squared_conjugate(cost, 2.0 * cost * u - a);
}

inline double loss_value(Loss loss, double u) {
  const double short_of = std::max(u, 0.0);
  return loss == Loss::kHinge ? short_of : short_of * short_of;
}

// Minus its derivative with respect to the margin, u = goal - margin.
inline double loss_slope(Loss loss, double u) {
  if (u <= 0.0) return 0.0;
  return loss == Loss::kHinge ? 1.0 : 2.0 * u;
}

}  // namespace banditcd::svm
