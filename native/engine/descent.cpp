#include "engine/descent.hpp"

#include "engine/run_clock.hpp"
#include "engine/selector.hpp"

#ifdef BANDITCD_DEBUG_CHECKS
#include <cmath>
#include <cstdio>
#include <cstdlib>
#endif

namespace banditcd::engine {

#ifdef BANDITCD_DEBUG_CHECKS
static void check_descent(const Step& step, double move, double u, double h) {
  // What rounding can do to u move - h move^2 / 2.
  const double slack = 1e-9 * (1.0 + std::fabs(move) * (std::fabs(u) + h * std::fabs(move)));
  if (step.decrease < -slack || step.r_after < 0.0) {
    std::fprintf(stderr, "banditcd: a step increased F (decrease %g)\n", step.decrease);
    std::abort();
  }
}
#endif

std::size_t Descent::run(Selector& selector, std::size_t steps, double seconds) {
  RunClock clock(seconds, 256, entries_);
  const Needs needs = selector.needs();
  const bool observes = needs.decrease || needs.r_after;
  for (std::size_t t = 0; t < steps; ++t) {
    const std::size_t i = selector.next(*this);
#ifdef BANDITCD_DEBUG_CHECKS
    const Step step = this->step(i);
    check_descent(step, last_move_, last_correlation_, h_[i]);
#else
    const Step step = this->step(i, needs);
#endif
    if (observes) selector.observe(*this, i, step);
    if (clock.over(t, entries_)) return t + 1;
  }
  return steps;
}

}  // namespace banditcd::engine
