#include "multinomial/diagonal.hpp"

#include <algorithm>

namespace banditcd::multinomial {

void Diagonal::update(const Point& point, const std::vector<double>& total, Passes& passes) {
  const std::size_t width = problem_.width(), size = problem_.cols * width;
  total_ = total;
  AlignedVector curvature(point.p);
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t t = i * width; t < (i + 1) * width; ++t)
      curvature[t] *= problem_.weight(i) * (1.0 - curvature[t]);
  inverse_.resize(size);
  center_.assign(size, 0.0);
  passes.transposed_squares(curvature.data(), width, inverse_.data());
  if (problem_.intercept) passes.transposed_times(curvature.data(), width, center_.data());
  for (std::size_t j = 0; j < problem_.cols; ++j) {
    const bool out = problem_.excluded(j);
    const double strength = out ? 0.0 : problem_.strength(j);
    for (std::size_t k = 0; k < width; ++k) {
      double &center = center_[j * width + k], &inverse = inverse_[j * width + k];
      const bool stays = out || k >= problem_.classes();
      center = stays ? 0.0 : center / total_[k];
      const double entry = std::max(inverse - total_[k] * center * center, 0.0) + strength;
      inverse = !stays && entry > 0.0 ? 1.0 / entry : 0.0;
    }
  }
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
  for (std::size_t k = 0; k < width; ++k)
    out[size + k] =
        problem_.intercept && k < problem_.classes() ? pull[k] / total_[k] - shift[k] : 0.0;
}

}  // namespace banditcd::multinomial
