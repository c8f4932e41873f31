#include "logistic/loss.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::logistic {
namespace {

constexpr double kCertain = 800.0;  // a margin at which the logistic loss is zero in float64
constexpr double kOutlier = 0.99;   // mistakes beyond this do not count fully in the square

double weight_of(const Labels& labels, std::size_t i) {
  return labels.weight ? labels.weight[i] : 1.0;
}

double entropy(double part, double total) {
  return part > 0.0 ? -part * std::log(part / total) : 0.0;
}

class LogisticLoss final : public MarginLoss {
 public:
  Constant best_constant(double positive, double negative) const override {
    const double total = positive + negative;
    Constant out{entropy(positive, total) + entropy(negative, total), 0.0};
    if (positive == 0.0 || negative == 0.0)
      out.intercept = positive > 0.0 ? kCertain : -kCertain;
    else
      out.intercept = std::log(positive / negative);
    return out;
  }
  double at_zero() const override { return std::log(2.0); }

  LogisticTotals evaluate(const Labels& labels, const double* z, double b,
                          const CurvatureRule& rule, double* rho, double* h) const override {
    return logistic_kernels().evaluate(labels, z, b, rule, rho, h);
  }
  double scaling_cost(const Labels& labels, const double* z, double b, double,
                      double t) const override {
    return logistic_kernels().scaling_entropy(labels, z, b, t);
  }
  // Rows whose loss is linear here (tiny h) are kept from drowning all others.
  double model_square(const Labels& labels, const double* rho, double loss) const override {
    double sum = 0.0;
    for (std::size_t i = 0; i < labels.rows; ++i) {
      const double s = weight_of(labels, i);
      if (s == 0.0) continue;
      const double q = std::min(std::abs(rho[i]) / s, kOutlier);
      sum += s * q / (1.0 - q);
    }
    return sum + loss;
  }
};

class SquaredHingeLoss final : public MarginLoss {
 public:
  Constant best_constant(double positive, double negative) const override {
    const double total = positive + negative;
    return {4.0 * positive * negative / total, (positive - negative) / total};
  }
  double at_zero() const override { return 1.0; }
  bool settles_plainly() const override { return true; }

  // A cautious model has the curvature 2 s of rows on either side of the hinge: it lies above the
  // loss.
  LogisticTotals evaluate(const Labels& labels, const double* z, double b,
                          const CurvatureRule& rule, double* rho, double* h) const override {
    LogisticTotals out;
    for (std::size_t i = 0; i < labels.rows; ++i) {
      const double s = weight_of(labels, i), y = labels.y[i];
      const double short_of = std::max(0.0, 1.0 - y * (z[i] + b));
      const bool curved = rule.cautious || short_of > 0.0;
      rho[i] = 2.0 * s * y * short_of;
      h[i] = s * std::max(curved ? 2.0 : 0.0, rule.floor);
      out.loss += s * short_of * short_of;
      out.pull += rho[i];
      out.mistakes += std::abs(rho[i]);
      out.curvature += h[i];
    }
    return out;
  }
  double scaling_cost(const Labels&, const double*, double, double loss, double t) const override {
    return (1.0 - t) * (1.0 - t) * loss;
  }
  double model_square(const Labels&, const double*, double loss) const override {
    return 2.0 * loss;
  }
};

const LogisticLoss kLogisticLoss;
const SquaredHingeLoss kSquaredHingeLoss;

}  // namespace

const MarginLoss& margin_loss(LossKind kind) {
  if (kind == LossKind::kSquaredHinge) return kSquaredHingeLoss;
  return kLogisticLoss;
}

}  // namespace banditcd::logistic
