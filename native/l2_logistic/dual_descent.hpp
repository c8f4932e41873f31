// Dual coordinate descent.
//
// The dual is  max_p  sum_i s_i H(p_i) - |v|^2 / (2 lambda),  v = sum_i y_i s_i p_i x_i,  H the
// entropy of a Bernoulli variable and w = v / lambda. In the logit theta_i of p_i the exact
// minimization over one coordinate is the root of  theta + m_i + h_i (sigma(theta) - p_i),
// h_i = s_i |x_i|^2 / lambda, whose slope is at least 1: no logarithm, and no probability that
// rounds to 0 or 1 (compare Yu, Huang and Lin 2011, who work with p). Passes are shuffled; what a
// row could still gain is known when it is visited, so the certificate's own pass is made only when
// it can succeed.
//
// The constraint of an intercept, sum_i y_i s_i p_i = 0, leaves no single coordinate to move: b is
// held during a pass and takes a step after it. A Newton step for b alone would be far too short,
// because w follows: once the rows have settled, the steps are those of the secant method for the
// sum as a function of b.
//
// Descent reads a copy of X in single precision where that is enough: rounding the data moves the
// optimum by far less than the target, and the certificate is that of the data themselves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "l2_logistic/point.hpp"

namespace banditcd::l2_logistic {

class DualDescent {
 public:
  explicit DualDescent(const Problem& problem) : problem_(problem) {}
  struct Goal {
    double target;    // the gap wanted
    double max_iter;  // passes
    bool rounded;     // a copy in single precision may be read
    // Whether the point is certified now; asked when the gap that was seen lets it hope.
    std::function<bool()> certified;
    // Whether another pass should follow one that saw this gap.
    std::function<bool(double gap)> goes_on;
  };
  enum class End { kCertified, kLeft, kStalled, kMaxIter };
  // From the point on, whose w and b are a start for others afterwards. Counts passes in
  // `iterations`.
  End run(Point& point, const Goal& goal, std::size_t& iterations, Passes& passes);
  // The logits of p.
  const std::vector<double>& logits() const { return logit_; }

 private:
  // Of one pass: the gap of the rows, each as it was visited; sum_i y_i s_i p_i and
  // sum_i s_i p_i (1 - p_i) after the visits.
  struct Sums {
    double gap = 0.0, imbalance = 0.0, curvature = 0.0;
  };
  // Steps of the intercept, by how the sum answered to the last one.
  class BiasSteps {
   public:
    double step(const Sums& sums);

   private:
    double last_step_ = 0.0, last_imbalance_ = 0.0, bend_ = 0.0;
  };
  // Whether a copy of the rows may be read, is written while they are visited, and is read.
  enum class Copy { kNever, kAllowed, kWritten, kRead };
  void start(Point& point, Passes& passes);
  void read_rows(bool sums, Point& point, Passes& passes);
  void list_rows();
  void begin_copy();
  void visit(std::size_t i, Point& point, Sums& sums);
  double pass(Point& point, Passes& passes);

  const Problem& problem_;
  std::vector<double> logit_, p_, squares_;  // p is sigma of the logits; squared norms of the rows
  std::vector<std::int32_t> order_, runs_;   // rows that may move; places of runs of them
  BiasSteps bias_;
  Copy state_ = Copy::kNever;
  bool in_range_ = true;  // of single precision
  std::unique_ptr<float[]> copy_;
  std::vector<std::size_t> places_;  // of the rows in the copy
  std::unique_ptr<RowMatrix> rounded_;
  const RowMatrix* rows_ = nullptr;  // what is read
};

}  // namespace banditcd::l2_logistic
