#include "engine/penalty.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace banditcd::engine {
namespace {

struct Four {
  double a, b, low, up;
};

// The parameters of one coordinate side by side, and only once if they are the same for all: a
// step touches one cache line (or none that is not hot), not four.
class Parameters {
 public:
  Parameters(const PenaltyArrays& arrays, std::size_t d) {
    bool equal = true;
    for (const double* p : arrays.p)
      equal = equal && std::all_of(p, p + d, [p](double value) { return value == p[0]; });
    stride_ = equal ? 0 : 1;
    const std::size_t n = equal ? std::min<std::size_t>(d, 1) : d;
    values_.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      values_.push_back({arrays.p[0][i], arrays.p[1][i], arrays.p[2][i], arrays.p[3][i]});
  }
  const Four& operator[](std::size_t i) const { return values_[i * stride_]; }

 private:
  std::vector<Four> values_;
  std::size_t stride_ = 1;
};

// r of every coordinate in place of u; P is final, so nothing in the loop is virtual.
template <class P>
void all_marginal_decreases(const P& g, const double* x, const double* h, double* u_to_r,
                            std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    const double u = u_to_r[i];
    u_to_r[i] = g.is_free(i) ? free_decrease(u, h[i], g.lower(i) - x[i], g.upper(i) - x[i])
                             : decrease_of(g.residue(i, x[i], u), g.mu(i), h[i]);
  }
}

constexpr double kInf = std::numeric_limits<double>::infinity();

double clip(double z, double low, double high) { return z < low ? low : (z > high ? high : z); }
double sign(double z) { return z > 0.0 ? 1.0 : (z < 0.0 ? -1.0 : 0.0); }

// lambda |x| + rho x^2 / 2 on a box.
class L1L2 final : public Penalty {
 public:
  L1L2(const PenaltyArrays& arrays, std::size_t d) : of_(arrays, d) {}
  double mu(std::size_t i) const override { return of_[i].b; }
  double lower(std::size_t i) const override { return of_[i].low; }
  double upper(std::size_t i) const override { return of_[i].up; }
  bool is_free(std::size_t i) const override {
    const auto& [lam, rho, low, up] = of_[i];
    return lam == 0.0 && rho == 0.0 && (std::isinf(low) || std::isinf(up));
  }
  double value(std::size_t i, double x) const override {
    return of_[i].a * std::fabs(x) + 0.5 * of_[i].b * x * x;
  }
  Residue residue(std::size_t i, double x, double u) const override {
    const auto& [lam, rho, low, up] = of_[i];
    const double z = maximizer(of_[i], x, u);
    double q = rho > 0.0 ? u - rho * z : u;
    if (rho > 0.0 && z > low && z < up && z != 0.0) q = lam * sign(z);  // but for rounding
    const double s = sign(q), size = std::fabs(q);
    double gap = rho > 0.0 ? 0.5 * rho * (x - z) * (x - z) : 0.0;
    if (size <= lam)
      gap += std::fabs(x) * std::max(lam - sign(x) * q, 0.0);
    else
      gap += lam * (std::fabs(x) - s * x) + (size - lam) * s * (z - x);
    return {z - x, gap};
  }
  double prox(std::size_t i, double x, double u, double h) const override {
    const auto& [lam, rho, low, up] = of_[i];
    const double q = h * x + u;
    const double size = std::fabs(q) - lam;
    if (size <= 0.0) return 0.0;  // 0 is always inside the box
    return clip((q > 0.0 ? size : -size) / (h + rho), low, up);
  }
  void subdifferential(std::size_t i, double x, double* low, double* high) const override {
    const Four& at = of_[i];
    const double slope = at.b * x;
    *low = x <= at.low ? -kInf : (x > 0.0 ? at.a : -at.a) + slope;
    *high = x >= at.up ? kInf : (x < 0.0 ? -at.a : at.a) + slope;
  }

  void marginal_decreases(const double* x, const double* h, double* u_to_r,
                          std::size_t d) const override {
    all_marginal_decreases(*this, x, h, u_to_r, d);
  }

 private:
  static double maximizer(const Four& at, double x, double u) {
    const double excess = std::fabs(u) - at.a;
    if (at.b == 0.0 && excess == 0.0)  // a ray of maximizers: the nearest to x
      return clip(x, u > 0.0 ? 0.0 : at.low, u < 0.0 ? 0.0 : at.up);
    if (excess <= 0.0) return 0.0;
    const double size = at.b > 0.0 ? excess / at.b : kInf;
    return clip(u > 0.0 ? size : -size, at.low, at.up);
  }
  Parameters of_;  // lambda, rho, lower, upper
};

// lambda |x| + rho x^2 / 2 - b x on |x| <= bound: without the line, at u + b.
class TiltedL1L2 final : public Penalty {
 public:
  TiltedL1L2(const PenaltyArrays& arrays, std::size_t d)
      : level_(level(arrays, d)), linear_(arrays.p[3], arrays.p[3] + d) {}
  double mu(std::size_t i) const override { return level_.mu(i); }
  double lower(std::size_t i) const override { return level_.lower(i); }
  double upper(std::size_t i) const override { return level_.upper(i); }
  double value(std::size_t i, double x) const override {
    return level_.value(i, x) - linear_[i] * x;
  }
  Residue residue(std::size_t i, double x, double u) const override {
    return level_.residue(i, x, u + linear_[i]);
  }
  double prox(std::size_t i, double x, double u, double h) const override {
    return level_.prox(i, x, u + linear_[i], h);
  }
  void subdifferential(std::size_t i, double x, double* low, double* high) const override {
    level_.subdifferential(i, x, low, high);
    *low -= linear_[i];
    *high -= linear_[i];
  }

  void marginal_decreases(const double* x, const double* h, double* u_to_r,
                          std::size_t d) const override {
    all_marginal_decreases(*this, x, h, u_to_r, d);
  }

 private:
  static L1L2 level(const PenaltyArrays& arrays, std::size_t d) {
    std::vector<double> lower(d);
    for (std::size_t i = 0; i < d; ++i) lower[i] = -arrays.p[2][i];
    return L1L2({{arrays.p[0], arrays.p[1], lower.data(), arrays.p[2]}}, d);
  }
  L1L2 level_;
  std::vector<double> linear_;  // b
};

// mu x^2 / 2 - b x on an interval.
class BoxQuadratic final : public Penalty {
 public:
  BoxQuadratic(const PenaltyArrays& arrays, std::size_t d) : of_(arrays, d) {}
  double mu(std::size_t i) const override { return of_[i].a; }
  double lower(std::size_t i) const override { return of_[i].low; }
  double upper(std::size_t i) const override { return of_[i].up; }
  double value(std::size_t i, double x) const override {
    return x * (0.5 * of_[i].a * x - of_[i].b);
  }
  Residue residue(std::size_t i, double x, double u) const override {
    const auto& [mu, b, low, up] = of_[i];
    const double force = u + b;
    double z = mu > 0.0 ? force / mu : (force > 0.0 ? kInf : (force < 0.0 ? -kInf : x));
    z = clip(z, low, up);
    double gap = 0.5 * mu * (x - z) * (x - z);
    if (z == low || z == up) gap += (force - mu * z) * (z - x);
    return {z - x, gap};
  }
  double prox(std::size_t i, double x, double u, double h) const override {
    const auto& [mu, b, low, up] = of_[i];
    return clip(x + (u + b - mu * x) / (h + mu), low, up);
  }
  void subdifferential(std::size_t i, double x, double* low, double* high) const override {
    const Four& at = of_[i];
    const double slope = at.a * x - at.b;
    *low = x <= at.low ? -kInf : slope;
    *high = x >= at.up ? kInf : slope;
  }

  void marginal_decreases(const double* x, const double* h, double* u_to_r,
                          std::size_t d) const override {
    all_marginal_decreases(*this, x, h, u_to_r, d);
  }

 private:
  Parameters of_;  // mu, b, lower, upper
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

// (p - x) - x log(p / x) >= 0 with p = x + kappa, by its series where it would cancel.
double kl_part(double x, double kappa, double log_p) {
  if (std::fabs(kappa) < 0.01 * x) {
    const double a = kappa / x;
    double series = 0.0;
    for (int k = 10; k > 1; --k) series = a * series + (k % 2 == 0 ? 1.0 : -1.0) / k;
    return x * a * a * series;
  }
  return std::max(x > 0.0 ? kappa - x * (log_p - std::log(x)) : kappa, 0.0);
}

// c (x ln x + (1 - x) ln(1 - x)) on [0, 1].
class Entropy final : public Penalty {
 public:
  Entropy(const PenaltyArrays& arrays, std::size_t d) : c_(arrays.p[0], arrays.p[0] + d) {}
  double mu(std::size_t i) const override { return 4.0 * c_[i]; }
  double lower(std::size_t) const override { return 0.0; }
  double upper(std::size_t) const override { return 1.0; }
  double value(std::size_t i, double x) const override {
    return c_[i] * (xlogx(x) + xlogx(1.0 - x));
  }
  Residue residue(std::size_t i, double x, double u) const override {
    const double t = u / c_[i], rest = 1.0 - x;
    const double kappa = t > 0.0 ? rest - sigmoid(-t) : sigmoid(t) - x;  // exact near both ends
    const double left = kl_part(x, kappa, -log1pexp(-t));
    return {sigmoid(t) - x, c_[i] * (left + kl_part(rest, -kappa, -log1pexp(t)))};
  }
  // Root t of t + (h (sigma(t) - x) - u) / c, increasing in t: Newton inside a bracket, which is
  // halved where the Newton step is not half the one before (it can cycle between the flat ends).
  double prox(std::size_t i, double x, double u, double h) const override {
    const double c = c_[i];
    double low = (u - h * (1.0 - x)) / c, high = (u + h * x) / c;
    const double inside = clip(x, 1e-300, 1.0 - 1e-16);
    double t = clip(std::log(inside / (1.0 - inside)), low, high);
    double move = high - low;
    for (int step = 0; step < 200; ++step) {
      const double p = sigmoid(t);
      const double value = t + (h * (p - x) - u) / c;
      if (value < 0.0) low = t;
      if (value > 0.0) high = t;
      double next = t - value / (1.0 + h * p * (1.0 - p) / c);
      if (!(next >= low && next <= high && std::fabs(next - t) <= 0.5 * move))
        next = 0.5 * (low + high);
      move = std::fabs(next - t);
      t = next;
      if (move <= 1e-15 * (1.0 + std::fabs(t))) break;
    }
    return sigmoid(t);
  }
  void subdifferential(std::size_t i, double x, double* low, double* high) const override {
    const double slope = c_[i] * std::log(x / (1.0 - x));
    *low = x <= 0.0 ? -kInf : slope;
    *high = x >= 1.0 ? kInf : slope;
  }

  void marginal_decreases(const double* x, const double* h, double* u_to_r,
                          std::size_t d) const override {
    all_marginal_decreases(*this, x, h, u_to_r, d);
  }

 private:
  std::vector<double> c_;
};

}  // namespace

std::unique_ptr<Penalty> make_penalty(const std::string& name, const PenaltyArrays& arrays,
                                      std::size_t d) {
  if (name == "l1_l2") return std::make_unique<L1L2>(arrays, d);
  if (name == "box_quadratic") return std::make_unique<BoxQuadratic>(arrays, d);
  if (name == "tilted_l1_l2") return std::make_unique<TiltedL1L2>(arrays, d);
  if (name == "entropy") return std::make_unique<Entropy>(arrays, d);
  return nullptr;
}

}  // namespace banditcd::engine
