#include "engine/penalty.hpp"

#include <algorithm>
#include <limits>

namespace banditcd {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double clip(double z, double low, double high) { return z < low ? low : (z > high ? high : z); }
double sign(double z) { return z > 0.0 ? 1.0 : (z < 0.0 ? -1.0 : 0.0); }

// lambda |x| + rho x^2 / 2 on a box.
class L1L2 final : public Penalty {
 public:
  explicit L1L2(const PenaltyArrays& a) : lam_(a.p[0]), rho_(a.p[1]), low_(a.p[2]), up_(a.p[3]) {}
  double mu(std::size_t i) const override { return rho_[i]; }
  double lower(std::size_t i) const override { return low_[i]; }
  double upper(std::size_t i) const override { return up_[i]; }
  bool is_free(std::size_t i) const override {
    return lam_[i] == 0.0 && rho_[i] == 0.0 && (std::isinf(low_[i]) || std::isinf(up_[i]));
  }
  double value(std::size_t i, double x) const override {
    return lam_[i] * std::fabs(x) + 0.5 * rho_[i] * x * x;
  }
  Residue residue(std::size_t i, double x, double u) const override {
    const double lam = lam_[i], rho = rho_[i];
    const double z = maximizer(i, x, u);
    const double q = rho > 0.0 ? u - rho * z : u;
    const double s = sign(q), size = std::fabs(q);
    double gap = rho > 0.0 ? 0.5 * rho * (x - z) * (x - z) : 0.0;
    if (size <= lam)
      gap += std::fabs(x) * std::max(lam - sign(x) * q, 0.0);
    else
      gap += lam * (std::fabs(x) - s * x) + (size - lam) * s * (z - x);
    return {z - x, gap};
  }
  double prox(std::size_t i, double x, double u, double h) const override {
    const double q = h * x + u;
    const double size = std::fabs(q) - lam_[i];
    if (size <= 0.0) return 0.0;  // 0 is always inside the box
    return clip((q > 0.0 ? size : -size) / (h + rho_[i]), low_[i], up_[i]);
  }
  void subdifferential(std::size_t i, double x, double* low, double* high) const override {
    const double slope = rho_[i] * x;
    *low = x <= low_[i] ? -kInf : (x > 0.0 ? lam_[i] : -lam_[i]) + slope;
    *high = x >= up_[i] ? kInf : (x < 0.0 ? -lam_[i] : lam_[i]) + slope;
  }

 private:
  double maximizer(std::size_t i, double x, double u) const {
    const double excess = std::fabs(u) - lam_[i];
    if (rho_[i] == 0.0 && excess == 0.0)  // a ray of maximizers: the nearest to x
      return clip(x, u > 0.0 ? 0.0 : low_[i], u < 0.0 ? 0.0 : up_[i]);
    if (excess <= 0.0) return 0.0;
    const double size = rho_[i] > 0.0 ? excess / rho_[i] : kInf;
    return clip(u > 0.0 ? size : -size, low_[i], up_[i]);
  }
  const double *lam_, *rho_, *low_, *up_;
};

// mu x^2 / 2 - b x on an interval.
class BoxQuadratic final : public Penalty {
 public:
  explicit BoxQuadratic(const PenaltyArrays& a)
      : mu_(a.p[0]), b_(a.p[1]), low_(a.p[2]), up_(a.p[3]) {}
  double mu(std::size_t i) const override { return mu_[i]; }
  double lower(std::size_t i) const override { return low_[i]; }
  double upper(std::size_t i) const override { return up_[i]; }
  double value(std::size_t i, double x) const override { return x * (0.5 * mu_[i] * x - b_[i]); }
  Residue residue(std::size_t i, double x, double u) const override {
    const double force = u + b_[i];
    double z = mu_[i] > 0.0 ? force / mu_[i] : (force > 0.0 ? kInf : (force < 0.0 ? -kInf : x));
    z = clip(z, low_[i], up_[i]);
    double gap = 0.5 * mu_[i] * (x - z) * (x - z);
    if (z == low_[i] || z == up_[i]) gap += (force - mu_[i] * z) * (z - x);
    return {z - x, gap};
  }
  double prox(std::size_t i, double x, double u, double h) const override {
    return clip(x + (u + b_[i] - mu_[i] * x) / (h + mu_[i]), low_[i], up_[i]);
  }
  void subdifferential(std::size_t i, double x, double* low, double* high) const override {
    const double slope = mu_[i] * x - b_[i];
    *low = x <= low_[i] ? -kInf : slope;
    *high = x >= up_[i] ? kInf : slope;
  }

 private:
  const double *mu_, *b_, *low_, *up_;
};

double sigmoid(double t) {
  if (t >= 0.0) return 1.0 / (1.0 + std::exp(-t));
  const double e = std::exp(t);
  return e / (1.0 + e);
}
double log1pexp(double t) {
  return t > 0.0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t));
}
double xlogx(double x) { return x > 0.0 ? x * std::log(x) : 0.0; }

// a - log(1 + a), by its series near 0 where the difference would cancel.
double excess_of(double a) {
  if (std::fabs(a) >= 0.01) return a - std::log1p(std::max(a, -1.0));
  double series = 0.0;
  for (int k = 10; k > 1; --k) series = a * series + (k % 2 == 0 ? 1.0 : -1.0) / k;
  return a * a * series;
}

// c (x ln x + (1 - x) ln(1 - x)) on [0, 1].
class Entropy final : public Penalty {
 public:
  explicit Entropy(const PenaltyArrays& a) : c_(a.p[0]) {}
  double mu(std::size_t i) const override { return 4.0 * c_[i]; }
  double lower(std::size_t) const override { return 0.0; }
  double upper(std::size_t) const override { return 1.0; }
  double value(std::size_t i, double x) const override {
    return c_[i] * (xlogx(x) + xlogx(1.0 - x));
  }
  Residue residue(std::size_t i, double x, double u) const override {
    const double t = u / c_[i];
    const double kappa = sigmoid(t) - x;
    if (std::fabs(t) > 30.0)  // sigma rounds to 0 or 1: use the definition there
      return {kappa, std::max(value(i, x) + c_[i] * log1pexp(t) - x * u, 0.0)};
    const double left = x > 0.0 ? x * excess_of(kappa / x) : kappa;
    const double rest = 1.0 - x;
    const double right = rest > 0.0 ? rest * excess_of(-kappa / rest) : -kappa;
    return {kappa, c_[i] * (left + right)};
  }
  // Root t of t + (h (sigma(t) - x) - u) / c, increasing in t: Newton inside a bracket.
  double prox(std::size_t i, double x, double u, double h) const override {
    const double c = c_[i];
    double low = (u - h * (1.0 - x)) / c, high = (u + h * x) / c;
    const double inside = clip(x, 1e-300, 1.0 - 1e-16);
    double t = clip(std::log(inside / (1.0 - inside)), low, high);
    for (int step = 0; step < 100; ++step) {
      const double p = sigmoid(t);
      const double value = t + (h * (p - x) - u) / c;
      if (value < 0.0) low = t;
      if (value > 0.0) high = t;
      double next = t - value / (1.0 + h * p * (1.0 - p) / c);
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      const bool done = std::fabs(next - t) <= 1e-15 * (1.0 + std::fabs(t));
      t = next;
      if (done) break;
    }
    return sigmoid(t);
  }
  void subdifferential(std::size_t i, double x, double* low, double* high) const override {
    const double slope = c_[i] * std::log(x / (1.0 - x));
    *low = x <= 0.0 ? -kInf : slope;
    *high = x >= 1.0 ? kInf : slope;
  }

 private:
  const double* c_;
};

}  // namespace

std::unique_ptr<Penalty> make_penalty(const std::string& name, const PenaltyArrays& arrays) {
  if (name == "l1_l2") return std::make_unique<L1L2>(arrays);
  if (name == "box_quadratic") return std::make_unique<BoxQuadratic>(arrays);
  if (name == "entropy") return std::make_unique<Entropy>(arrays);
  return nullptr;
}

}  // namespace banditcd
