#include "multinomial/problem.hpp"

namespace banditcd::multinomial {
namespace {

constexpr double kLeastShare = 1e-17;  // of a class without weight: its logarithm must be a number

}  // namespace

bool Problem::has_free_columns() const {
  for (std::size_t j = 0; j < cols; ++j)
    if (free_column(j)) return true;
  return false;
}

std::vector<double> Problem::row_weights() const {
  std::vector<double> out(count());
  for (std::size_t i = 0; i < count(); ++i) out[i] = weight(i);
  return out;
}

std::vector<double> Problem::class_weights() const {
  std::vector<double> out(width(), 0.0);
  for (std::size_t i = 0; i < count(); ++i) out[rows.label[i]] += weight(i);
  return out;
}

double Problem::total_weight() const {
  double total = 0.0;
  for (std::size_t i = 0; i < count(); ++i) total += weight(i);
  return total;
}

std::vector<double> Problem::null_intercepts() const {
  std::vector<double> out(width(), 0.0);
  if (!intercept) return out;
  const std::vector<double> weights = class_weights();
  const double total = total_weight();
  double mean = 0.0;
  for (std::size_t k = 0; k < classes(); ++k) {
    out[k] = std::log(std::max(weights[k] / total, kLeastShare));
    mean += out[k] / static_cast<double>(classes());
  }
  for (std::size_t k = 0; k < classes(); ++k) out[k] -= mean;
  return out;
}

double Problem::null_objective() const {
  const double total = total_weight();
  if (!intercept) return total * std::log(static_cast<double>(classes()));
  double objective = 0.0;
  for (const double weight : class_weights())
    if (weight > 0.0) objective -= weight * std::log(weight / total);
  return objective;
}

}  // namespace banditcd::multinomial
