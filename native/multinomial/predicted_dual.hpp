// The dual point that a Newton step predicts: q_i = p_i + (diag(p_i) - p_i p_i^T) dz_i.
//
// At the end of the step it satisfies u = L w up to what is left of the linear system, so that its
// gap is the model's error in the losses, not the square of a gradient over the penalty: it
// certifies a point about one step before the point's own probabilities do.
#pragma once
#include "multinomial/passes.hpp"
#include "multinomial/point.hpp"

namespace banditcd::multinomial {

class PredictedDual {
 public:
  explicit PredictedDual(const Problem& problem)
      : problem_(problem),
        balance_(problem),
        q_(problem.values()),
        u_(problem.cols * problem.width()) {}
  void forget() { known_ = false; }
  // Before a step from this point, whose predictors change by dz. rough: dz comes from a model that
  // does not balance the intercepts; those that do are found here.
  void predict(const Point& point, const AlignedVector& dz, bool rough, Watch& watch);
  void predict(const Point& point, const AlignedVector& dz) {
    Watch unwatched;
    predict(point, dz, false, unwatched);
  }
  // The gap with the point after the step; infinite if it is seen to exceed the target. Intercepts
  // are only balanced where the rest is good enough.
  double gap(const Point& point, double target, Passes& passes);
  // What the losses and the intercepts have of it; infinite if that exceeds the target. theta() is
  // found.
  double losses(const Point& point, double target, Watch& watch);
  // The same for the distributions (1 - t) y + t q.
  double losses_at(double t, const Point& point);
  const AlignedVector& theta() const { return theta_; }

 private:
  bool balance(Watch& watch);
  void shift(const Point& point, Watch& watch);
  double intercepts(const Point& point);
  void find_theta();

  const Problem& problem_;
  Balance balance_;
  AlignedVector q_, theta_, u_, mixed_;
  bool known_ = false, tilted_ = false;
};

// sum_jk [ g(w) + g^*(u) - w u ] for u = X^T theta; infinite with a column without penalty, which
// the predicted point is not orthogonal to.
double penalty_gap(const Problem& problem, const AlignedVector& w, const AlignedVector& u);

}  // namespace banditcd::multinomial
