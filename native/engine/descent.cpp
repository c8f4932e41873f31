#include "engine/descent.hpp"

#include <chrono>

#include "engine/selector.hpp"

#ifdef BANDITCD_DEBUG_CHECKS
#include <cmath>
#include <cstdio>
#include <cstdlib>
#endif

namespace banditcd::engine {
namespace {

// The clock costs as much as a short step: look at it after this much work only.
constexpr std::uint64_t kEntriesPerLook = 20000;
constexpr std::size_t kStepsPerLook = 256;

#ifdef BANDITCD_DEBUG_CHECKS
void check_descent(const Step& step, double move, double u, double h) {
  // What rounding can do to u move - h move^2 / 2.
  const double slack = 1e-9 * (1.0 + std::fabs(move) * (std::fabs(u) + h * std::fabs(move)));
  if (step.decrease < -slack || step.r_after < 0.0) {
    std::fprintf(stderr, "banditcd: a step increased F (decrease %g)\n", step.decrease);
    std::abort();
  }
}
#endif

}  // namespace

std::size_t Descent::run(Selector& selector, std::size_t steps, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::uint64_t next_look = entries_ + kEntriesPerLook;
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
    if (entries_ >= next_look || t % kStepsPerLook == kStepsPerLook - 1) {
      if (std::chrono::duration<double>(Clock::now() - began).count() >= seconds) return t + 1;
      next_look = entries_ + kEntriesPerLook;
    }
  }
  return steps;
}

}  // namespace banditcd::engine
