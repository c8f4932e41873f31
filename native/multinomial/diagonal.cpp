#include "multinomial/diagonal.hpp"

#include <algorithm>

namespace banditcd::multinomial {

void Diagonal::update(const Point& point, const std::vector<double>& total, Passes& passes) {
  const std::size_t width = problem_.width();
  start(total);
  AlignedVector curvature(point.p);
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t t = i * width; t < (i + 1) * width; ++t)
      curvature[t] *= problem_.weight(i) * (1.0 - curvature[t]);
  passes.transposed_squares(curvature.data(), width, inverse_.data());
  if (problem_.intercept) passes.transposed_times(curvature.data(), width, center_.data());
  for (std::size_t j = 0; j < problem_.cols; ++j)
    for (std::size_t k = 0; k < width; ++k) {
      const double center = center_[j * width + k] / total_[k];
      set(j, k, center, inverse_[j * width + k] - total_[k] * center * center);
    }
}

void Diagonal::update(const ColumnMoments& of, const std::vector<double>& total) {
  start(total);
  for (std::size_t j = 0; j < problem_.cols; ++j)
    for (std::size_t k = 0; k < problem_.width(); ++k)
      set(j, k, of.mean[j], total_[k] / of.weight * of.square[j]);
}

void Diagonal::start(const std::vector<double>& total) {
  total_ = total;
  inverse_.resize(problem_.cols * problem_.width());
  center_.assign(inverse_.size(), 0.0);
}

void Diagonal::set(std::size_t j, std::size_t k, double center, double curvature) {
  const std::size_t t = j * problem_.width() + k;
  const bool stays = problem_.excluded(j) || k >= problem_.classes();
  const double entry = stays ? 0.0 : std::max(curvature, 0.0) + problem_.strength(j);
  center_[t] = stays ? 0.0 : center;
  inverse_[t] = entry > 0.0 ? 1.0 / entry : 0.0;
}

// In terms of centered columns the intercept is b + mean . w, and its pull is that of b.
void Diagonal::apply(const double* r, double* out) const {
  const std::size_t width = problem_.width(), size = problem_.cols * width;
  std::vector<double> pull(width, 0.0), shift(width, 0.0);
  if (problem_.intercept) std::copy_n(r + size, problem_.classes(), pull.begin());
  for (std::size_t t = 0; t < size; t += width)
    for (std::size_t k = 0; k < width; ++k) {
      const double x = inverse_[t + k] * (r[t + k] - center_[t + k] * pull[k]);
      out[t + k] = x;
      shift[k] += center_[t + k] * x;
    }
  std::fill_n(out + size, width, 0.0);
  for (std::size_t k = 0; problem_.intercept && k < problem_.classes(); ++k)
    out[size + k] = pull[k] / total_[k] - shift[k];
}

}  // namespace banditcd::multinomial
