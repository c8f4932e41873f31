// Separable parts g_i: the native twins of problems/penalties, dispatched once per step.
#pragma once
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace banditcd::engine {

// Dual residue kappa_i and coordinate-wise gap G_i.
struct Residue {
  double kappa, gap;
};

// The marginal decrease of Lemma 1 (problems/marginal.py); s is the reference step size.
struct Reference {
  double s, r;
};
inline Reference reference_step(const Residue& at, double mu, double h) {
  const double size = std::fabs(at.kappa);
  if (!(size > 0.0)) return {0.0, 0.0};
  const double slope = at.gap / size + 0.5 * mu * size;
  const double s = slope / (size * (mu + h));
  const double r = s >= 1.0 ? at.gap - 0.5 * h * size * size : slope * (slope / (2.0 * (mu + h)));
  return {s < 1.0 ? s : 1.0, r > 0.0 ? r : 0.0};
}
// The same r without the division for s: a refresh computes d of them.
inline double decrease_of(const Residue& at, double mu, double h) {
  const double size = std::fabs(at.kappa);
  if (!(size > 0.0)) return 0.0;
  const double slope = at.gap / size + 0.5 * mu * size;
  const bool whole = slope >= size * (mu + h);
  const double r = whole ? at.gap - 0.5 * h * size * size : slope * (slope / (2.0 * (mu + h)));
  return r > 0.0 ? r : 0.0;
}

// A coordinate without penalty moves by u / h, cut to the room its bounds leave.
inline double free_decrease(double u, double h, double room_below, double room_above) {
  const double move = std::fmin(std::fmax(u / h, room_below), room_above);
  return move * (u - 0.5 * h * move);
}

class Penalty {
 public:
  virtual ~Penalty() = default;
  virtual double mu(std::size_t i) const = 0;
  virtual double lower(std::size_t i) const = 0;
  virtual double upper(std::size_t i) const = 0;
  // No penalty at all: no finite kappa and gap.
  virtual bool is_free(std::size_t) const { return false; }
  virtual double value(std::size_t i, double x) const = 0;
  virtual Residue residue(std::size_t i, double x, double u) const = 0;
  // argmin_z -u (z - x) + (h / 2) (z - x)^2 + g_i(z)
  virtual double prox(std::size_t i, double x, double u, double h) const = 0;
  virtual void subdifferential(std::size_t i, double x, double* low, double* high) const = 0;

  // r of every coordinate, in place of u.
  virtual void marginal_decreases(const double* x, const double* h, double* u_to_r,
                                  std::size_t d) const = 0;
  double marginal_decrease(std::size_t i, double x, double u, double h) const {
    if (is_free(i)) return free_decrease(u, h, lower(i) - x, upper(i) - x);
    return decrease_of(residue(i, x, u), mu(i), h);
  }
  // Distance of u from the subdifferential of g_i at x.
  double violation(std::size_t i, double x, double u) const {
    double low, high;
    subdifferential(i, x, &low, &high);
    const double out = low - u > u - high ? low - u : u - high;
    return out > 0.0 ? out : 0.0;
  }
};

// Four parameter arrays of length d; their meaning depends on the kind.
struct PenaltyArrays {
  const double* p[4];
};
// "l1_l2" (lambda, rho, lower, upper), "box_quadratic" (mu, b, lower, upper), "entropy" (c) or
// "tilted_l1_l2" (lambda, rho, bound, b).
// Returns nullptr for an unknown name.
std::unique_ptr<Penalty> make_penalty(const std::string& name, const PenaltyArrays& arrays,
                                      std::size_t d);

}  // namespace banditcd::engine
