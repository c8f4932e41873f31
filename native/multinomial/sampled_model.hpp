// The quadratic model of tall data with the matrix of a sample: every step-th row, with that many
// times its weight.
//
// Pulls and the objective stay those of all rows, so that steps lead to the same solution. From n
// rows for m coordinates each of them leaves about m / n of the error, as long as the matrix is
// kept, and costs a few passes: products with all rows, as many as coordinates, never happen.
#pragma once
#include <memory>

#include "multinomial/gram_model.hpp"

namespace banditcd::multinomial {

class SampledModel {
 public:
  // A new solve.
  void forget() {
    known_ = false;
    failed_ = false;
  }
  // Whether there are rows enough for a sample of at most that many bytes, and its matrix costs no
  // more than a few epochs.
  bool applies(const Problem& problem, const ClassColumns& X, const Pool& pool, double bytes) const;
  // The minimizer of the model, with the matrix of the last one if there is one. Returns the work.
  double solve(const Problem& problem, const ClassColumns& X, const Point& point, const Pool& pool,
               ModelStep& out, Watch& watch);
  // A step of this length has been taken, whose model promised this decrease.
  void note(double length, double promise);
  // Whether there is a matrix, of the coordinates of the last pool.
  bool known() const { return known_; }
  void drop() { known_ = false; }
  std::size_t epochs() const { return gram_.epochs(); }
  std::size_t newtons() const { return gram_.newtons(); }

 private:
  std::unique_ptr<ClassColumns> part_;
  std::size_t step_ = 0;
  GramModel gram_;
  bool known_ = false, failed_ = false;
  std::size_t age_ = 0;  // steps with this matrix
  double promise_ = kInfinity;
};

}  // namespace banditcd::multinomial
