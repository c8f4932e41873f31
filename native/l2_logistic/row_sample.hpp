// The problem on every kSampleStep-th row, whose solution is a start for all rows.
#pragma once
#include <memory>
#include <vector>

#include "l2_logistic/problem.hpp"
#include "l2_logistic/strategy.hpp"

namespace banditcd::l2_logistic {

class RowSample {
 public:
  explicit RowSample(const Problem& problem)
      : X_(problem.X->part({0, problem.X->rows(), kSampleStep})),
        y_(X_->rows()),
        weight_(X_->rows()),
        problem_(problem) {
    for (std::size_t i = 0; i < y_.size(); ++i) {
      y_[i] = problem.y[i * kSampleStep];
      weight_[i] = problem.weight(i * kSampleStep);
    }
    share_ = static_cast<double>(y_.size()) / static_cast<double>(problem.rows());
    problem_.X = X_.get();
    problem_.y = y_.data();
    problem_.sample_weight = weight_.data();
    problem_.lambda = share_ * problem.lambda;
  }
  RowSample(const RowSample&) = delete;
  RowSample& operator=(const RowSample&) = delete;
  // The share of the rows that are in the sample, and of lambda that suits them.
  double share() const { return share_; }
  const Problem& problem() const { return problem_; }

 private:
  std::unique_ptr<RowMatrix> X_;
  std::vector<double> y_, weight_;
  double share_ = 1.0;
  Problem problem_;
};

}  // namespace banditcd::l2_logistic
