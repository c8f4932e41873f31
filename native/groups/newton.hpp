// Newton's method on the blocks in use, where the penalty is smooth.
//
// With a_g = l_g / |W_g| and w^ = W_g / |W_g| the Hessian is
//   (G + diag(a_g + m_g)) x I_K  -  sum_g a_g w^_g w^_g'  =  M x I_K - U A U',
// M of the size of the columns whatever the number K of tasks. For one task the Hessian itself is
// factored; for several, M is, and the rank of the rest is the number of groups (Woodbury). Without
// the Gram matrix G the direction comes from conjugate gradients.
#pragma once
#include <cstddef>
#include <vector>

#include "groups/model.hpp"
#include "kernels/cholesky.hpp"

namespace banditcd::groups {

class Newton {
 public:
  // Nanoseconds of a step from this point.
  static double cost(const Model& model);
  // One step, as long as the objective agrees. Returns whether the point moved.
  bool step(Model& model, Watch& watch);
  std::size_t steps() const { return steps_; }

 private:
  struct Block {
    std::size_t t, at, p;  // place in the pool, first row here, columns
    double slope, norm;    // a_g (zero without a penalty), |W_g|
  };
  bool choose(const Model& model);
  void gradient(Model& model, Watch& watch);
  bool direct(const Model& model, Watch& watch);
  bool woodbury(const Model& model, Watch& watch);
  void fill(const Model& model, bool with_rank_one, double ridge);
  template <class Fill>
  bool factor(Cholesky& matrix, Fill&& fill, Watch& watch);
  bool invert(const Model& model, Watch& watch);
  void fill_rest(double ridge, Watch& watch);
  bool advance(Model& model, Watch& watch);
  bool conjugate(Model& model, Watch& watch);
  // Rows of the blocks in use to places of the whole pool, into direction_.
  void spread(const Model& model, const double* rows);
  double slope_at(const Model& model, double step, double along, double curvature) const;

  std::vector<Block> blocks_;
  std::vector<std::size_t> position_;  // of a row in the pool
  std::size_t rows_ = 0, tasks_ = 0, steps_ = 0;
  std::vector<double> unit_, minus_gradient_;  // w^ and c - l w^ - m W, by task and row
  std::vector<double> direction_;              // by task and position in the pool
  std::vector<double> inverse_;
  Cholesky factor_, rest_;
};

}  // namespace banditcd::groups
