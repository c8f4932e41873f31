// Newton's method on the support: where coordinate descent has found the signs, one Cholesky
// factorization finishes what thousands of epochs would.
#pragma once
#include <vector>

#include "quadratic/quadratic.hpp"
#include "quadratic/support_factor.hpp"

namespace banditcd {

class Newton {
 public:
  enum class Outcome { kExact, kProgress, kOptimal, kFailed, kTooRough };

  // Solves H d = -gradient on the coordinates that are free to move, then takes, in this order:
  // the full step if it keeps every sign and bound (kExact: the minimizer on this support),
  // a projected step that lowers the objective (it may drop several coordinates at once),
  // or the exact minimizer along the ray, which always descends.
  // kTooRough: the factorization would need more digits than G has.
  // With more free coordinates than max_rank they are dependent, and a ridge makes do.
  Outcome step(const Quadratic& problem, std::size_t max_rank, Watch& watch);
  // What a step on this support would take, in nanoseconds.
  double cost(const Quadratic& problem, std::size_t support) const;
  // Whether the last step came to nothing before a zero or a bound stopped it, and left that
  // coordinate out: an epoch would bring it back, so that another step is due at once.
  bool blocked() const { return blocked_; }
  // The next step is on another G.
  void forget() {
    factor_.forget();
    wait_ = next_wait_ = 0;
  }

 private:
  void collect(const Quadratic& problem);
  bool solve(const Quadratic& problem, std::size_t max_rank, Watch& watch);
  bool full_step_fits(const Quadratic& problem) const;
  bool projected(const Quadratic& problem, double objective);
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
  SupportFactor factor_;
  bool blocked_ = false;
  std::size_t wait_ = 0, next_wait_ = 0;  // steps until a projected one is tried again
};

}  // namespace banditcd
