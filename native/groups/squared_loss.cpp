// The squared loss of several responses, 1/2 sum_k sum_i s_i (y_ik - b_k - z_ik)^2.
#include <cmath>
#include <stdexcept>

#include "groups/loss.hpp"
#include "kernels/vector.hpp"

namespace banditcd::groups {
namespace {

class SquaredLoss final : public Loss {
 public:
  SquaredLoss(const double* y, std::size_t rows, std::size_t tasks, const double* weight,
              bool intercept)
      : y_(y, y + rows * tasks),
        rows_(rows),
        tasks_(tasks),
        weight_(weight),
        intercept_(intercept),
        space_(rows, weight, intercept),
        mean_(tasks, 0.0),
        constant_(tasks, 0.0) {}

  std::size_t tasks() const override { return tasks_; }
  void start() override {
    center(y_, mean_);
    residual_ = y_;
    constant_ = mean_;
    weigh();
    null_ = 0.5 * square_;
    if (!std::isfinite(null_))
      throw std::overflow_error("The squares of y overflow float64; scale the data down.");
  }
  double null_value() const override { return null_; }
  double null_square() const override { return 2.0 * null_; }
  bool quadratic() const override { return true; }
  const std::vector<double>& pull() const override { return weight_ ? weighted_ : residual_; }
  double value() const override { return 0.5 * square_; }

  Certificate certify(const BlockTerms& terms, const std::vector<double>& square) override {
    Terms all;
    bool feasible = true;
    for (std::size_t t = 0; t < terms.term.size(); ++t) {
      const Term& term = terms.term[t];
      all.add(term.w, term.u, term.g);
      feasible =
          feasible && orthogonal_if_free(term.u, term.g, square[terms.block[t]], 2.0 * null_);
    }
    Certificate out = banditcd::certify(all, square_);
    out.primal += terms.excess;
    out.gap = feasible ? out.gap + terms.excess : kInfinity;
    return out;
  }

  Rowspace space() override { return space_.space(); }
  double model_square() const override { return square_; }
  std::vector<double> model_residual() const override {
    std::vector<double> out = residual_;
    const double* root = space_.space().root_weight;
    for (std::size_t k = 0; root && k < tasks_; ++k)
      for (std::size_t i = 0; i < rows_; ++i) out[k * rows_ + i] *= root[i];
    return out;
  }

  double try_at(const std::vector<double>& predictor, double) override {
    for (std::size_t t = 0; t < y_.size(); ++t) residual_[t] = y_[t] - predictor[t];
    std::vector<double> moved(tasks_, 0.0);
    center(residual_, moved);
    for (std::size_t k = 0; k < tasks_; ++k) constant_[k] = mean_[k] + moved[k];
    weigh();
    return value();
  }
  void accept() override {}
  const std::vector<double>& predictor() const override {
    throw std::logic_error("A squared loss keeps no predictors.");
  }
  double intercept(std::size_t task) const override { return constant_[task]; }

 private:
  // Twice: the first mean is rounded relative to the size of y and X w, the second relative to R.
  void center(std::vector<double>& v, std::vector<double>& constant) const {
    for (std::size_t k = 0; intercept_ && k < tasks_; ++k)
      for (int repeat = 0; repeat < 2; ++repeat) {
        double* r = v.data() + k * rows_;
        double sum = 0.0;
        for (std::size_t i = 0; i < rows_; ++i) sum += (weight_ ? weight_[i] : 1.0) * r[i];
        const double mean = sum / space_.space().total_weight;
        for (std::size_t i = 0; i < rows_; ++i) r[i] -= mean;
        constant[k] += mean;
      }
  }
  void weigh() {
    weighted_.resize(weight_ ? residual_.size() : 0);
    for (std::size_t k = 0; weight_ && k < tasks_; ++k)
      for (std::size_t i = 0; i < rows_; ++i)
        weighted_[k * rows_ + i] = weight_[i] * residual_[k * rows_ + i];
    square_ = dot(residual_.data(), pull().data(), residual_.size());
  }

  std::vector<double> y_;
  std::size_t rows_, tasks_;
  const double* weight_;
  bool intercept_;
  WeightedRows space_;
  std::vector<double> mean_, constant_;  // of y, and the intercepts
  std::vector<double> residual_, weighted_;
  double square_ = 0.0, null_ = 0.0;
};

}  // namespace

std::unique_ptr<Loss> squared_loss(const double* y, std::size_t rows, std::size_t tasks,
                                   const double* sample_weight, bool intercept) {
  return std::make_unique<SquaredLoss>(y, rows, tasks, sample_weight, intercept);
}

}  // namespace banditcd::groups
