// When a matrix is due on a pool: epochs over its columns cost little and crawl near the optimum; a
// model in Gram space costs a matrix and goes the quicker the nearer.
//
// These are no arms (solve/arms.hpp), which are whole ways to the solution: a matrix belongs to one
// step, is paid for again at the next one, and epochs go on after it.
//
// Ski rental (Karlin et al. 1988): a matrix is due when the epochs since the last one have cost as
// much, or a share of that, which halves whenever the matrix made the gap fall faster for its work
// than they did, and doubles when it did not.
#pragma once
#include <algorithm>

namespace banditcd::multinomial {

class MatrixRental {
 public:
  void forget() { *this = MatrixRental(); }
  // What epochs may still cost before a matrix of this price is due; not positive: it is.
  double allowance(double price) const { return share_ * price - spent_; }
  // A step did this work (nanoseconds) and lowered the logarithm of the gap by `fall`.
  void note(bool matrix, double work, double fall) {
    if (!matrix) {
      spent_ += work;
      fall_ += fall;
      return;
    }
    const bool quicker = fall * spent_ > fall_ * work;
    share_ = quicker ? std::max(0.5 * share_, kLeastShare) : std::min(2.0 * share_, 1.0);
    spent_ = fall_ = 0.0;
    had_matrix_ = true;
  }
  bool had_matrix() const { return had_matrix_; }

 private:
  static constexpr double kLeastShare = 1.0 / 16.0;
  double share_ = 1.0, spent_ = 0.0, fall_ = 0.0;
  bool had_matrix_ = false;
};

}  // namespace banditcd::multinomial
