#include "l2_logistic/hessian.hpp"

#include <algorithm>

#include "kernels/vector.hpp"

namespace banditcd::l2_logistic {

double find_curvature(const Problem& problem, const std::vector<double>& q,
                      std::vector<double>& out) {
  double total = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    out[i] = problem.weight(i) * q[i] * (1.0 - q[i]);
    total += out[i];
  }
  return total;
}

Hessian::Hessian(const Problem& problem) : problem_(problem), curvature_(problem.rows()) {}

void Hessian::update(const Point& point, Passes& passes) {
  total_ = find_curvature(problem_, point.q, curvature_);
  if (!problem_.intercept || !(total_ > 0.0)) {
    mean_.assign(problem_.cols(), 0.0);
    return;
  }
  mean_.resize(problem_.cols());
  passes.read(&RowMatrix::transposed_times, curvature_.data(), mean_.data());
  for (double& value : mean_) value /= total_;
}

void Hessian::apply(const double* v, double* out, Passes& passes) const {
  const double center = dot(mean_.data(), v, mean_.size());
  double sum = 0.0;
  passes.read(
      &RowMatrix::transform, v,
      [&](std::size_t first, std::size_t count, double* values) {
        for (std::size_t t = 0; t < count; ++t)
          sum += values[t] = curvature_[first + t] * (values[t] - center);
      },
      out);
  for (std::size_t j = 0; j < mean_.size(); ++j)
    out[j] = problem_.excluded(j) ? 0.0 : out[j] - sum * mean_[j] + problem_.strength(j) * v[j];
}

std::vector<double> Hessian::inverse_diagonal(Passes& passes) const {
  std::vector<double> out(mean_.size());
  passes.read(&RowMatrix::squares, curvature_.data(), out.data());
  for (std::size_t j = 0; j < out.size(); ++j) {
    const double entry =
        std::max(out[j] - total_ * mean_[j] * mean_[j], 0.0) + problem_.strength(j);
    out[j] = problem_.excluded(j) || !(entry > 0.0) ? 0.0 : 1.0 / entry;
  }
  return out;
}

void Hessian::fill(Cholesky& out, bool rough, double jitter, Passes& passes) const {
  const double* shift = problem_.intercept ? mean_.data() : nullptr;
  out.resize(problem_.cols());
  if (rough)
    passes.read(&RowMatrix::rough_normal_matrix, curvature_.data(), shift, out.row(0),
                out.stride());
  else
    passes.read(&RowMatrix::normal_matrix, curvature_.data(), shift, out.row(0), out.stride());
  double largest = 0.0;
  for (std::size_t j = 0; j < out.size(); ++j) {
    double* row = out.row(j);
    if (problem_.excluded(j)) std::fill(row, row + j, 0.0);
    for (std::size_t k = 0; problem_.penalty_weight && k < j; ++k)
      if (problem_.excluded(k)) row[k] = 0.0;
    row[j] = problem_.excluded(j) ? 1.0 : row[j] + problem_.strength(j);
    largest = std::max(largest, row[j]);
  }
  // A column without entries and without penalty, and pivots eaten by rounding.
  for (std::size_t j = 0; j < out.size(); ++j) {
    double& pivot = out.row(j)[j];
    pivot += jitter * largest;
    if (pivot == 0.0) pivot = 1.0;
  }
}

}  // namespace banditcd::l2_logistic
