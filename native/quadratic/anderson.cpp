#include "quadratic/anderson.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd {

bool Anderson::observe(const Quadratic& problem) {
  x_[stored_].assign(problem.x, problem.x + problem.size);
  c_[stored_].assign(problem.c, problem.c + problem.size);
  if (++stored_ <= kMemory) return false;
  stored_ = 0;
  double z[kMemory];
  if (!anderson_weights(x_, problem.size, z)) return false;
  trial_x_.assign(problem.size, 0.0);
  trial_c_.assign(problem.size, 0.0);
  for (std::size_t t = 0; t < kMemory; ++t) {
    axpy(z[t], x_[t + 1].data(), trial_x_.data(), problem.size);
    axpy(z[t], c_[t + 1].data(), trial_c_.data(), problem.size);
  }
  for (std::size_t j = 0; j < problem.size; ++j)
    if (trial_x_[j] < problem.g[j].lower || trial_x_[j] > problem.g[j].upper) return false;
  Quadratic trial = problem;
  trial.x = trial_x_.data();
  trial.c = trial_c_.data();
  if (!(trial.objective() < problem.objective())) return false;
  std::copy(trial_x_.begin(), trial_x_.end(), problem.x);
  std::copy(trial_c_.begin(), trial_c_.end(), problem.c);
  return true;
}

// Minimizes |sum z_t (x_{t+1} - x_t)| with sum z = 1: solve (U U^T) z = 1 and normalize.
bool anderson_weights(const std::vector<double>* x, std::size_t size, double* out) {
  constexpr std::size_t kMemory = Anderson::kMemory;
  double matrix[kMemory][kMemory + 1] = {};
  for (std::size_t i = 0; i < size; ++i) {
    double step[kMemory];
    for (std::size_t t = 0; t < kMemory; ++t) step[t] = x[t + 1][i] - x[t][i];
    for (std::size_t s = 0; s < kMemory; ++s)
      for (std::size_t t = 0; t <= s; ++t) matrix[s][t] += step[s] * step[t];
  }
  double trace = 0.0;
  for (std::size_t s = 0; s < kMemory; ++s) trace += matrix[s][s];
  if (!(trace > 0.0)) return false;
  for (std::size_t s = 0; s < kMemory; ++s) {
    for (std::size_t t = s + 1; t < kMemory; ++t) matrix[s][t] = matrix[t][s];
    matrix[s][s] += 1e-14 * trace;
    matrix[s][kMemory] = 1.0;
  }
  for (std::size_t s = 0; s < kMemory; ++s) {  // positive definite: no pivoting needed
    if (!(matrix[s][s] > 0.0)) return false;
    for (std::size_t t = s + 1; t < kMemory; ++t) {
      const double factor = matrix[t][s] / matrix[s][s];
      for (std::size_t k = s; k <= kMemory; ++k) matrix[t][k] -= factor * matrix[s][k];
    }
  }
  double total = 0.0;
  for (std::size_t s = kMemory; s-- > 0;) {
    double sum = matrix[s][kMemory];
    for (std::size_t t = s + 1; t < kMemory; ++t) sum -= matrix[s][t] * out[t];
    total += out[s] = sum / matrix[s][s];
  }
  if (!std::isfinite(total) || std::abs(total) < 1e-300) return false;
  for (std::size_t s = 0; s < kMemory; ++s) out[s] /= total;
  return true;
}

}  // namespace banditcd
