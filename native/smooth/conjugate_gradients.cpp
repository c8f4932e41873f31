#include "smooth/conjugate_gradients.hpp"

#include "kernels/vector.hpp"

namespace banditcd::smooth {

std::size_t conjugate_gradients(
    const LinearSystem& system, double* residual, double* x,
    const std::function<bool(std::size_t iteration, const double* residual)>& enough) {
  const std::size_t n = system.size;
  std::vector<double> preconditioned(n), direction(n), image(n);
  const auto precondition = [&] {
    for (std::size_t j = 0; j < n; ++j)
      preconditioned[j] = system.inverse_diagonal[j] * residual[j];
    return dot(preconditioned.data(), residual, n);
  };
  double square = precondition();
  direction = preconditioned;
  std::size_t iteration = 0;
  while (square > 0.0 && !enough(iteration, residual)) {
    system.apply(direction.data(), image.data());
    ++iteration;
    const double curvature = dot(direction.data(), image.data(), n);
    if (!(curvature > 0.0)) break;  // rounding has eaten the direction
    const double step = square / curvature;
    axpy(step, direction.data(), x, n);
    axpy(-step, image.data(), residual, n);
    const double next = precondition();
    const double beta = next / square;
    square = next;
    for (std::size_t j = 0; j < n; ++j) direction[j] = preconditioned[j] + beta * direction[j];
  }
  return iteration;
}

}  // namespace banditcd::smooth
