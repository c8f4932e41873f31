// The certificates of L2-regularized multinomial regression.
#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "multinomial/l2_solver.hpp"
#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

// The point's own probabilities satisfy every loss with equality: u = L w - gradient.
double L2Multinomial::own_gap() const {
  const std::size_t width = problem_.width();
  double sum = 0.0;
  for (std::size_t j = 0; j < problem_.cols; ++j) {
    if (problem_.excluded(j)) continue;
    const double strength = problem_.strength(j);
    for (std::size_t t = j * width; t < j * width + problem_.classes(); ++t) {
      const double g = gradient_[t];
      if (strength > 0.0) {
        sum += g * g / (2.0 * strength);
      } else {
        if (std::fabs(g) > kOrthogonal * lengths_.of(problem_, j)) return kInfinity;
        sum += price_of_rest(g, point_.w[t]);
      }
    }
  }
  return sum;
}

// What tells how fast the gap falls. Beside a weak penalty that of a point's own dual point exceeds
// the objective for long; that of q = y, which is the objective, hardly falls then.
double L2Multinomial::telling_gap(const Report& report) const {
  const double own = own_gap();
  if (own < kInfinity && report.certificate.gap >= report.certificate.primal) return own;
  return std::min(own, report.certificate.gap);
}

// The distributions q = y give D = 0: no gap is larger than the objective. Intercepts are only
// made exact where the rest is good enough.
void L2Multinomial::certify(Report& report, Passes& passes) {
  double gap = predicted_.gap(point_, report.target, passes);
  if (gap > report.target && own_gap() <= report.target) {
    if (point_.settle(passes.watch())) find_gradient(passes);
    gap = std::min(gap, own_gap() + point_.leftover());
  }
  keep(gap, report);
}

// Of points without a certificate that with the smallest gradient counts, if rounding hides which
// one is the lowest.
void L2Multinomial::keep(double gap, Report& report) {
  const double primal = point_.primal();
  const double slope = dot(gradient_.data(), gradient_.data(), gradient_.size());
  const double slack = gap < primal ? 1.0 : 1.0 + (slope < best_slope_ ? kRounding : -kRounding);
  if (best_.offer(point_, std::min(gap, primal), slack, report)) best_slope_ = slope;
}

// Steps carry the predictors along, and without a penalty coefficients may grow until rounding
// shows there: what such predictors certified is forgotten.
void L2Multinomial::look_again(Report& report, Passes& passes) {
  const double null = best_.null_objective(), carried = report.certificate.primal;
  best_.restore(point_, report);
  evaluate(passes);
  const double off = std::fabs(point_.primal() - carried);
  if (off <= std::max(kOffTarget * report.target, kOffNull * null)) return;
  if (best_.poor_start(point_)) {
    point_.set_null();
    evaluate(passes);
  }
  best_.forget();
  best_slope_ = kInfinity;
  predicted_.forget();
  keep(own_gap() + point_.leftover(), report);
}

bool L2Multinomial::holds(Report& report, Passes& passes) {
  if (problem_.has_free_columns()) look_again(report, passes);
  return report.accepted();
}

void L2Multinomial::settle(Report& report, Passes& passes) {
  look_again(report, passes);
  if (point_.settle(passes.watch())) find_gradient(passes);
  keep(own_gap() + point_.leftover(), report);
  if (report.accepted()) report.status = Status::kConverged;
}

}  // namespace banditcd::multinomial
