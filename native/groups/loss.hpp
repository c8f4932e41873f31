// The loss of a fit with groups: a point given by its predictors, what it pulls at, and the
// quadratic model there.
#pragma once
#include <memory>
#include <vector>

#include "columns/design.hpp"
#include "groups/model.hpp"
#include "solve/fit_data.hpp"

namespace banditcd::groups {

// Task k of row i is at k * rows + i.
class Loss {
 public:
  virtual ~Loss() = default;
  virtual std::size_t tasks() const = 0;
  // The null model.
  virtual void start() = 0;
  virtual double null_value() const = 0;
  virtual double null_square() const = 0;  // of its pull
  // Whether even the null model has no finite minimizer; the infimum is then zero.
  virtual bool degenerate() const { return false; }
  // Whether the model is the loss itself.
  virtual bool quadratic() const = 0;

  // Minus the derivative of the loss with respect to the predictors; sums to zero over the rows of
  // a task if there is an intercept.
  virtual const std::vector<double>& pull() const = 0;
  virtual double value() const = 0;
  // The certificate of the point, from the blocks in use or near their thresholds. square: |X_g|^2
  // by group.
  virtual Certificate certify(const BlockTerms& terms, const std::vector<double>& square) = 0;

  // The geometry of the model, its |R|^2, and R with rows multiplied by the roots of the weights.
  virtual Rowspace space() = 0;
  virtual double model_square() const = 0;
  virtual std::vector<double> model_residual() const = 0;

  // Evaluates the loss at predictors without intercepts; shift moves the intercept of a loss that
  // has to look for it. accept() makes that the point.
  virtual double try_at(const std::vector<double>& predictor, double shift) = 0;
  virtual void accept() = 0;
  // Predictors of the point, without intercepts; for a loss that is not quadratic.
  virtual const std::vector<double>& predictor() const = 0;
  virtual double intercept(std::size_t task) const = 0;
};

// y: by task, centered here if there is an intercept.
std::unique_ptr<Loss> squared_loss(const double* y, std::size_t rows, std::size_t tasks,
                                   const double* sample_weight, bool intercept);
// y: -1 or +1.
std::unique_ptr<Loss> logistic_loss(const double* y, std::size_t rows, const double* sample_weight,
                                    bool intercept);

}  // namespace banditcd::groups
