#include "quadratic/quadratic.hpp"

#include <algorithm>

#include "kernels/vector.hpp"
#include "solve/strategy.hpp"

namespace banditcd {
namespace {

constexpr std::size_t kCheckEntries = 1 << 20;  // of G between two looks at the watch

}  // namespace

std::size_t Quadratic::support() const {
  return size - static_cast<std::size_t>(std::count(x, x + size, 0.0));
}

double Quadratic::residual2() const {
  double sum = square;
  for (std::size_t j = 0; j < size; ++j) sum -= x[j] * (q[j] + c[j]);
  return std::max(sum, 0.0);
}

double Quadratic::objective() const {
  double sum = 0.0;
  for (std::size_t j = 0; j < size; ++j)
    if (x[j] != 0.0) sum += g[j].value(x[j]) - 0.5 * x[j] * (q[j] + c[j]);
  return sum;
}

Certificate Quadratic::certificate(Terms& workspace) const {
  workspace.clear();
  bool orthogonal = true;
  for (std::size_t j = 0; j < size; ++j) {
    if (x[j] == 0.0 && std::abs(c[j]) < kNearThreshold * g[j].l) continue;
    workspace.add(x[j], c[j], g[j]);
    orthogonal = orthogonal && orthogonal_if_free(c[j], g[j], curvature(j), square);
  }
  Certificate out = certify(workspace, residual2());
  if (!orthogonal) out.gap = kInfinity;
  return out;
}

void Quadratic::recompute(Watch& watch) {
  std::copy(q, q + size, c);
  std::size_t since_check = 0;
  for (std::size_t j = 0; j < size; ++j) {
    if (x[j] == 0.0) continue;
    axpy(-x[j], row(j), c, size);
    if ((since_check += size) > kCheckEntries) watch.check(), since_check = 0;
  }
}

void Quadratic::move(std::size_t j, double delta) const {
  x[j] += delta;
  axpy(-delta, row(j), c, size);
}

Sweep sweep(const Quadratic& problem, Watch& watch) {
  Sweep out;
  std::size_t since_check = 0;
  for (std::size_t j = 0; j < problem.size; ++j) {
    const double old = problem.x[j], u = problem.c[j];
    const Penalty& g = problem.g[j];
    if (old == 0.0 && std::abs(u) <= g.l) continue;
    const double h = problem.curvature(j);
    const double next = g.minimizer(u + h * old, h);
    if (next == old) continue;
    out.signs_changed |= next * old <= 0.0;
    axpy(old - next, problem.row(j), problem.c, problem.size);
    problem.x[j] = next;
    ++out.moves;
    if ((since_check += problem.size) > kCheckEntries) watch.check(), since_check = 0;
  }
  return out;
}

}  // namespace banditcd
