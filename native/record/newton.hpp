// Newton's method on the support: where coordinate descent has found the signs, one Cholesky
// factorization finishes what thousands of epochs would.
#pragma once
#include <vector>

#include "record/cholesky.hpp"
#include "record/quadratic.hpp"

namespace banditcd::record {

class Newton {
 public:
  enum class Outcome { kExact, kProgress, kOptimal, kFailed, kTooRough };

  // Solves H d = -gradient on the coordinates that are free to move, then takes, in this order:
  // the full step if it keeps every sign and bound (kExact: the minimizer on this support),
  // a projected step that lowers the objective (it may drop several coordinates at once),
  // or the exact minimizer along the ray, which always descends.
  // kTooRough: the factorization would need more digits than G has.
  Outcome step(const Quadratic& problem, Watch& watch);
  std::size_t free_count() const { return free_.size(); }

 private:
  void collect(const Quadratic& problem);
  bool solve(const Quadratic& problem, Watch& watch);
  bool factor(const Quadratic& problem, double ridge, Watch& watch);
  bool full_step_fits(const Quadratic& problem) const;
  bool projected_step(const Quadratic& problem, double t, double objective);
  bool ray_step(const Quadratic& problem, double objective);
  double ray_minimizer(const Quadratic& problem, double curvature, std::size_t& stops_at);
  void save(const Quadratic& problem);
  void restore(const Quadratic& problem) const;

  struct Break {
    double t;
    double slope;       // jump of the slope; infinite at a bound
    std::size_t place;  // in free_
  };
  std::vector<std::size_t> free_;
  std::vector<double> gradient_, direction_, low_, high_, saved_x_, saved_c_, image_;
  std::vector<Break> breaks_;
  Cholesky cholesky_;
};

}  // namespace banditcd::record
