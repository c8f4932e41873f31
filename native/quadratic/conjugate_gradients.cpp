#include "quadratic/conjugate_gradients.hpp"

#include "kernels/vector.hpp"

namespace banditcd {

std::size_t conjugate_gradients(const LinearSystem& system, double* residual, double* x,
                                const std::function<bool(const Progress&)>& enough) {
  const std::size_t n = system.size;
  std::vector<double> preconditioned(n), direction(n), image(n);
  const auto precondition = [&] {
    if (system.precondition)
      system.precondition(residual, preconditioned.data());
    else
      for (std::size_t j = 0; j < n; ++j)
        preconditioned[j] = system.inverse_diagonal[j] * residual[j];
    return dot(preconditioned.data(), residual, n);
  };
  double square = precondition();
  direction = preconditioned;
  Progress progress = {0, residual, 0.0};
  while (square > 0.0 && !enough(progress)) {
    system.apply(direction.data(), image.data());
    ++progress.products;
    const double curvature = dot(direction.data(), image.data(), n);
    if (!(curvature > 0.0)) break;  // rounding has eaten the direction
    const double step = square / curvature;
    progress.decrease += 0.5 * step * square;
    axpy(step, direction.data(), x, n);
    axpy(-step, image.data(), residual, n);
    const double next = precondition();
    const double beta = next / square;
    square = next;
    for (std::size_t j = 0; j < n; ++j) direction[j] = preconditioned[j] + beta * direction[j];
  }
  return progress.products;
}

}  // namespace banditcd
