// The pool problem, solved entirely in Gram space: coordinate descent to find the signs, Anderson
// extrapolation while it is slow, Newton when its factorization is cheaper than more epochs.
#pragma once
#include <vector>

#include "kernels/memory.hpp"
#include "quadratic/anderson.hpp"
#include "quadratic/idleness.hpp"
#include "quadratic/newton.hpp"
#include "quadratic/quadratic.hpp"

namespace banditcd {

class InnerSolver {
 public:
  // Columns of a support that no L2 term makes independent of the others: all, and those of them
  // that may still leave it.
  struct Dependent {
    std::size_t all = 0, leaving = 0;
  };

  // max_epochs: of all rounds of a solve.
  explicit InnerSolver(std::size_t max_epochs = 20000) : max_epochs_(max_epochs) {}
  // Lowers the pool's duality gap to target (absolute), or as far as rounding allows.
  // max_rank: more free coordinates than this are dependent.
  void solve(Quadratic& pool, double target, std::size_t max_rank, Watch& watch);
  // Whether the last solve gave up because the pool's G is rough.
  bool too_rough() const { return too_rough_; }
  std::size_t epochs() const { return epochs_; }
  std::size_t newtons() const { return newtons_; }

 private:
  bool choose_active(const Quadratic& pool);
  Quadratic restrict_to_active(const Quadratic& pool);
  void write_back(Quadratic& pool);
  bool descend(const Quadratic& problem, double target, std::size_t max_rank, Watch& watch);
  bool try_newton(const Quadratic& problem, std::size_t max_rank, Watch& watch);
  bool idle(const Quadratic& problem, const Certificate& now, std::size_t max_rank);
  bool newton_possible(const Dependent& plain, std::size_t max_rank) const;
  bool newton_pays(const Quadratic& problem, bool signs_changed, std::size_t max_rank) const;

  struct Violator {
    double r;
    std::size_t j;
  };
  std::size_t max_epochs_;
  std::vector<std::size_t> active_;
  std::vector<Violator> violators_;
  AlignedBuffer gram_;
  std::vector<double> q_, x_;
  AlignedVector c_;
  std::vector<Penalty> g_;
  Terms terms_;
  Newton newton_;
  Anderson anderson_;
  bool too_rough_ = false;
  Idleness idleness_{1.0};       // of a solve, as a share of what may be spent
  double spent_ = 0.0;           // epochs, and Newton steps in epochs, since the last look
  double work_ = 0.0;            // nanoseconds of epochs since Newton was last tried
  double newton_penalty_ = 1.0;  // doubles when Newton fails
  std::size_t epochs_ = 0, newtons_ = 0, last_epoch_ = 0;
};

}  // namespace banditcd
