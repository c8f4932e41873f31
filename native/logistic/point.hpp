// A point of the solve: coefficients w, the predictor X w + b of every row, and the loss there.
#pragma once
#include <utility>
#include <vector>

#include "columns/design.hpp"
#include "logistic/loss.hpp"

namespace banditcd::logistic {

class Point {
 public:
  Point(std::size_t columns, LossKind loss) : loss_(&margin_loss(loss)), coef_(columns, 0.0) {}
  // The null model: X w = 0 and, if there is an intercept, the best constant.
  void start(const Labels& labels, bool intercept);
  // Whether nothing is to be found: with an intercept and weight on one class only, or without any
  // weight, the infimum of the loss is zero, at a constant.
  bool degenerate() const { return degenerate_; }
  double total_weight() const { return total_weight_; }
  double null_loss() const { return null_loss_; }
  double null_intercept() const { return null_intercept_; }

  // Evaluates the loss at predictor z (without b); accept() makes that the point, whose
  // coefficients the caller sets.
  double try_at(const std::vector<double>& z, double b);
  void accept();
  void set_coef(std::vector<double> coef) { coef_ = std::move(coef); }
  void set_coef(Index j, double w) { coef_[j] = w; }
  // Minimizes over the intercept alone, so that the pulls sum to zero up to rounding.
  void settle_intercept();
  // Changes how the curvatures are modeled, from this point on.
  void set_cautious(bool cautious);
  // Multiplies the least curvature of a row, a share of the mean one.
  void set_floor(double factor);
  double divergence(double t) const;  // what scaling the pulls by t gives up in the dual

  // The loss and the penalties of these columns, which hold all non-zeros.
  double primal(const std::vector<Index>& columns, const Penalties& penalties) const;
  const std::vector<double>& coef() const { return coef_; }
  const std::vector<double>& predictor() const { return now_.z; }
  const std::vector<double>& pull() const { return now_.pull; }
  const std::vector<double>& curvature() const { return now_.curvature; }
  const LogisticTotals& totals() const { return now_.totals; }
  double intercept() const { return now_.b; }
  double model_square() const {
    return loss_->model_square(labels_, now_.pull.data(), now_.totals.loss);
  }

 private:
  struct State {
    std::vector<double> z, pull, curvature;
    double b = 0.0;
    LogisticTotals totals;
  };
  void evaluate(State& state);
  void find_intercept();
  double floor() const;

  const MarginLoss* loss_;
  std::vector<double> coef_;
  Labels labels_;
  bool intercept_ = false, degenerate_ = false;
  double null_loss_ = 0.0, null_intercept_ = 0.0, total_weight_ = 0.0;
  CurvatureRule rule_;
  double floor_factor_ = 1.0;
  State now_, trial_;
  mutable double divergence_scale_ = 1.0, divergence_ = 0.0;  // the last one at this point
};

}  // namespace banditcd::logistic
