#include "l2_logistic/problem.hpp"

#include <cmath>

namespace banditcd::l2_logistic {

bool Problem::has_free_columns() const {
  if (!penalty_weight) return lambda == 0.0 && cols() > 0;
  for (std::size_t j = 0; j < cols(); ++j)
    if (free_column(j)) return true;
  return false;
}

// Of one class only, a margin at which the loss is zero in float64.
double Problem::null_intercept() const {
  constexpr double kFar = 750.0;
  if (!intercept) return 0.0;
  double side[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < rows(); ++i) side[y[i] > 0.0] += weight(i);
  if (side[0] > 0.0 && side[1] > 0.0) return std::log(side[1] / side[0]);
  return side[1] > 0.0 ? kFar : -kFar;
}

double Problem::null_objective() const {
  double total = 0.0, positive = 0.0;
  for (std::size_t i = 0; i < rows(); ++i) {
    total += weight(i);
    if (y[i] > 0.0) positive += weight(i);
  }
  if (!intercept) return total * std::log(2.0);
  const double negative = total - positive;
  double objective = 0.0;
  if (positive > 0.0) objective -= positive * std::log(positive / total);
  if (negative > 0.0) objective -= negative * std::log(negative / total);
  return objective;
}

double Problem::regularizer(const std::vector<double>& w) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < cols(); ++j)
    if (!excluded(j)) sum += penalty(j) * w[j] * w[j];
  return 0.5 * lambda * sum;
}

double Problem::penalty_gap(const std::vector<double>& v) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < cols(); ++j) {
    if (excluded(j) || strength(j) == 0.0) continue;
    sum += v[j] * v[j] / (2.0 * strength(j));
  }
  return sum;
}

void Problem::subtract_from_penalty(const std::vector<double>& w, std::vector<double>& v) const {
  for (std::size_t j = 0; j < cols(); ++j) v[j] = excluded(j) ? 0.0 : strength(j) * w[j] - v[j];
}

double Problem::weighted_squares(std::size_t step) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < rows(); i += step) sum += weight(i) * X->row_square(i);
  return static_cast<double>(step) * sum;
}

}  // namespace banditcd::l2_logistic
