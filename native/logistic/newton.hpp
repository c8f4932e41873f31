// Proximal Newton steps on a pool (Lee, Sun and Saunders, 2014).
//
// A step minimizes the quadratic model of the objective on the pool and goes from the point towards
// its minimizer as far as the objective agrees (solve/halved_step.hpp), whose slope in the
// direction (d, a) is -<rho, X d + a> + sum_S g(w + d) - g(w).
#pragma once
#include "logistic/centered_design.hpp"
#include "logistic/certificate.hpp"
#include "logistic/model.hpp"

namespace banditcd::logistic {

// The state that a step moves, borrowed from the solver.
struct Iterate {
  const CenteredDesign& design;
  Point& point;
  Pool& pool;
  LazyColumns& columns;
};

// What the steps of a bin are for.
struct Aim {
  double gap = 0.0;        // of the point that they start from
  double target = 0.0;     // the gap to be reached
  double precision = 1.0;  // of the models: a factor on the accuracy that usually does
  bool passing = false;    // columns are still coming in: one step, and not a precise one
};

class ProximalNewton {
 public:
  ProximalNewton(std::size_t limit, bool intercept) : model_(limit, intercept) {}

  // Steps until the gap of the pool reaches the target. Returns whether the point moved as it
  // should.
  bool improve(const Aim& aim, const Iterate& at, Certifier& certifier, Work& work, Watch& watch);
  // Whether the last step was cut short.
  bool cut() const { return cut_; }
  CurvatureRows& rows() { return rows_; }
  const Model& model() const { return model_; }

 private:
  Accuracy accuracy(const Aim& aim, double gap) const;
  bool advance(const Iterate& at, Work& work, Watch& watch);
  double penalty_along(const PoolColumns& pool, double t) const;
  double search(const Iterate& at, Work& work, Watch& watch);
  void take(double t, const Iterate& at, Work& work, Watch& watch);

  Model model_;
  CurvatureRows rows_;
  bool cut_ = false;
  double decrease_ = 0.0;  // of the objective, in the last step that was tried
  std::vector<double> predictor_, w_;
};

}  // namespace banditcd::logistic
