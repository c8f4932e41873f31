// The losses of a margin that the proximal Newton method minimizes: logistic and squared hinge.
//
// A loss is s_i phi(m_i) of the margin m_i = y_i (z_i + b). Its pull rho_i = -s_i y_i phi'(m_i) is
// a dual point; scaled by t it gives up sum_i s_i [phi(m_i) + phi*(t phi'(m_i)) - t phi'(m_i) m_i],
// which is the part of the duality gap that belongs to the rows:
//   logistic       phi = log(1 + exp(-m))   sum_i s_i KL(t q_i || q_i), q the wrong label's share
//   squared hinge  phi = max(0, 1 - m)^2    (1 - t)^2 sum_i s_i phi(m_i)
#pragma once
#include "kernels/logistic_math.hpp"

namespace banditcd::logistic {

enum class LossKind { kLogistic, kSquaredHinge };

// The best constant model, and its loss.
struct Constant {
  double loss = 0.0, intercept = 0.0;
};

class MarginLoss {
 public:
  virtual ~MarginLoss() = default;
  // Of these total weights of the two classes; where one has none, an intercept at which the loss
  // is zero in float64.
  virtual Constant best_constant(double positive, double negative) const = 0;
  // The loss of a row of weight 1 at margin 0.
  virtual double at_zero() const = 0;
  // Whether the intercept is settled with plain curvatures even where models are cautious: a loss
  // of parabolas needs few steps with its own and many with larger ones.
  virtual bool settles_plainly() const { return false; }
  // Writes rho and h for the predictor z + b, with h as the rule says.
  virtual LogisticTotals evaluate(const Labels& labels, const double* z, double b,
                                  const CurvatureRule& rule, double* rho, double* h) const = 0;
  // What scaling rho by 0 < t < 1 gives up; loss: that of all rows.
  virtual double scaling_cost(const Labels& labels, const double* z, double b, double loss,
                              double t) const = 0;
  // |R|^2 of the quadratic model, sum_i rho_i^2 / h_i: a measure of progress.
  virtual double model_square(const Labels& labels, const double* rho, double loss) const = 0;
};

const MarginLoss& margin_loss(LossKind kind);

}  // namespace banditcd::logistic
