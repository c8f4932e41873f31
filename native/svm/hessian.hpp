// The Hessian over the free rows, whose dual variables follow their margins:
//
//   H = R + scale sum over the free rows of C_i z_i z_i^T,
//
// R the identity without the coordinate of a free intercept. The sum follows the free rows: those
// that enter are added, those that leave are subtracted.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "svm/problem.hpp"

namespace banditcd::svm {

class Hessian {
 public:
  explicit Hessian(const Problem& problem);

  // Row t is free, or not, from the next update() on.
  void set(Index t, bool is_free) {
    if (is_free != (is_free_[t] != 0)) change(t, is_free);
  }
  bool is_free(Index t) const { return is_free_[t] != 0; }
  void update(Watch& watch);
  // The sum is built again in double, unless it is in double already.
  void build_exactly(Watch& watch);
  // d = -H^-1 g; false if H is not positive definite in float64, even with a tiny diagonal added.
  bool direction(double scale, const std::vector<double>& g, std::vector<double>& d, Watch& watch);

 private:
  bool may_round() const;
  void change(Index t, bool is_free);
  static void forget(std::vector<Index>& rows);
  void build(Watch& watch);
  void add(const std::vector<Index>& rows, double sign, Watch& watch);
  void add(const Changes& rows, double sign, Watch& watch);
  bool factor(double scale, Watch& watch);
  double unit_of_bias(double scale) const;

  const Problem& problem_;
  std::vector<char> is_free_;
  std::size_t free_ = 0;
  std::vector<Index> entering_, leaving_;  // by place in the problem
  std::size_t stride_;
  bool rough_;         // rows may be added from single precision
  double unit_ = 1.0;  // of a free intercept, in the factor
  AlignedBuffer sum_;
  Cholesky factor_;
};

}  // namespace banditcd::svm
