#include "groups/spectrum.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::groups {
namespace {

constexpr std::size_t kLargestBasis = 256;  // wider groups get one bound for all directions
constexpr int kSweeps = 6;
constexpr double kOffDiagonal = 1e-3;  // of the mean eigenvalue: what is left off the diagonal
constexpr int kNewtonSteps = 30;
constexpr double kRoot = 1e-15;

double largest_row_sum(const double* a, std::size_t stride, std::size_t p, bool diagonal) {
  double largest = 0.0;
  for (std::size_t i = 0; i < p; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < p; ++j)
      if (diagonal || i != j) sum += std::abs(a[i * stride + j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

double trace_of(const double* a, std::size_t stride, std::size_t p) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p; ++i) sum += a[i * stride + i];
  return sum;
}

}  // namespace

void Spectrum::find(const double* gram, std::size_t stride, std::size_t p, Watch& watch) {
  h_.assign(p, 0.0);
  basis_.clear();
  const double trace = trace_of(gram, stride, p);
  if (p == 1 || p > kLargestBasis) {
    h_.assign(p, p == 1 ? gram[0] : std::min(trace, largest_row_sum(gram, stride, p, true)));
    largest_ = h_[0];
    return;
  }
  std::vector<double> a(p * p);
  for (std::size_t i = 0; i < p; ++i) std::copy_n(gram + i * stride, p, a.data() + i * p);
  basis_.assign(p * p, 0.0);
  for (std::size_t i = 0; i < p; ++i) basis_[i * p + i] = 1.0;
  double rest = largest_row_sum(a.data(), p, p, false);
  for (int k = 0; k < kSweeps && rest > kOffDiagonal * trace / static_cast<double>(p); ++k) {
    sweep(a);
    rest = largest_row_sum(a.data(), p, p, false);
    watch.check();
  }
  largest_ = 0.0;
  for (std::size_t i = 0; i < p; ++i) {
    h_[i] = std::max(0.0, a[i * p + i]) + rest;
    largest_ = std::max(largest_, h_[i]);
  }
}

// One cyclic Jacobi sweep (Golub and Van Loan, Matrix Computations, 8.5) on the symmetric a.
void Spectrum::sweep(std::vector<double>& a) {
  const std::size_t n = h_.size();
  for (std::size_t p = 0; p + 1 < n; ++p)
    for (std::size_t q = p + 1; q < n; ++q) {
      const double off = a[p * n + q];
      if (off == 0.0) continue;
      const double tau = (a[q * n + q] - a[p * n + p]) / (2.0 * off);
      const double t = (tau >= 0.0 ? 1.0 : -1.0) / (std::abs(tau) + std::hypot(1.0, tau));
      const double c = 1.0 / std::hypot(1.0, t), s = t * c;
      for (std::size_t i = 0; i < n; ++i) {
        const double x = a[i * n + p], y = a[i * n + q];
        a[i * n + p] = c * x - s * y;
        a[i * n + q] = s * x + c * y;
      }
      double* const rows[2] = {a.data(), basis_.data()};
      for (double* m : rows)
        for (std::size_t i = 0; i < n; ++i) {
          const double x = m[p * n + i], y = m[q * n + i];
          m[p * n + i] = c * x - s * y;
          m[q * n + i] = s * x + c * y;
        }
    }
}

void Spectrum::rotate(const double* from, std::size_t tasks, double* to) const {
  const std::size_t p = h_.size();
  if (basis_.empty()) {
    std::copy_n(from, p * tasks, to);
    return;
  }
  for (std::size_t k = 0; k < tasks; ++k)
    for (std::size_t i = 0; i < p; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < p; ++j) sum += basis_[i * p + j] * from[k * p + j];
      to[k * p + i] = sum;
    }
}

void Spectrum::rotate_back(const double* from, std::size_t tasks, double* to) const {
  const std::size_t p = h_.size();
  if (basis_.empty()) {
    std::copy_n(from, p * tasks, to);
    return;
  }
  std::fill(to, to + p * tasks, 0.0);
  for (std::size_t k = 0; k < tasks; ++k)
    for (std::size_t i = 0; i < p; ++i)
      for (std::size_t j = 0; j < p; ++j) to[k * p + j] += basis_[i * p + j] * from[k * p + i];
}

// tau = |v| solves sum_i |z_i|^2 / ((h_i + m) tau + l)^2 = 1. The inverse root of the sum is
// concave in tau, so Newton's method on it climbs to the root from below.
double Spectrum::norm_of_minimizer(const Penalty& g, const double* square) const {
  const std::size_t p = h_.size();
  double total = 0.0;
  for (std::size_t i = 0; i < p; ++i) total += square[i];
  double tau = (std::sqrt(total) - g.l) / (largest_ + g.m);
  if (p == 1 || basis_.empty() || g.l == 0.0) return tau;
  for (int step = 0; step < kNewtonSteps; ++step) {
    double sum = 0.0, slope = 0.0;
    for (std::size_t i = 0; i < p; ++i) {
      const double part = 1.0 / ((h_[i] + g.m) * tau + g.l), share = square[i] * part * part;
      sum += share;
      slope += share * part * (h_[i] + g.m);
    }
    const double move = (std::sqrt(sum) - 1.0) * sum / slope;
    tau += move;
    if (!(move > kRoot * tau)) break;
  }
  return tau;
}

bool Spectrum::minimize(const Penalty& g, const double* c, std::size_t tasks, double* x,
                        double* delta) const {
  const std::size_t p = h_.size(), all = p * tasks;
  z_.resize(all);
  v_.resize(all);
  square_.assign(p, 0.0);
  rotate(c, tasks, z_.data());
  rotate(x, tasks, v_.data());
  double total = 0.0;
  for (std::size_t k = 0; k < tasks; ++k)
    for (std::size_t i = 0; i < p; ++i) {
      double& z = z_[k * p + i];
      z += h_[i] * v_[k * p + i];
      square_[i] += z * z;
      total += z * z;
    }
  const bool zero = !(total > g.l * g.l) && (g.l > 0.0 || g.m > 0.0);
  const double pull = zero || g.l == 0.0 ? 0.0 : g.l / norm_of_minimizer(g, square_.data());
  for (std::size_t k = 0; k < tasks; ++k)
    for (std::size_t i = 0; i < p; ++i) {
      const double curvature = h_[i] + g.m + pull;
      if (zero)
        v_[k * p + i] = 0.0;
      else if (curvature > 0.0)
        v_[k * p + i] = z_[k * p + i] / curvature;
    }
  if (zero)
    std::fill(delta, delta + all, 0.0);
  else
    rotate_back(v_.data(), tasks, delta);
  bool moved = false;
  for (std::size_t t = 0; t < all; ++t) {
    const double next = delta[t];
    delta[t] = next - x[t];
    moved = moved || delta[t] != 0.0;
    x[t] = next;
  }
  return moved;
}

}  // namespace banditcd::groups
