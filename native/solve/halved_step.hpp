// The length of a proximal Newton step: t = 1, 1/2, 1/4, ... until the objective F agrees,
//   F(t) <= F(0) + 0.01 t slope    (Armijo 1966).
// The predictors along the way are mixtures of those at its ends.
#pragma once
#include <algorithm>
#include <vector>

#include "solve/watch.hpp"

namespace banditcd {

inline double mixed(double from, double to, double t) {
  return t == 1.0 ? to : from + t * (to - from);
}

// Where the step starts: its objective, the slope of the way, and the predictors.
struct StepStart {
  double objective, slope;
  const std::vector<double>& predictor;
};

// predictor: at the end of the whole step, and then at the length that was found. value_at(t): the
// objective there. Zero if there is no length. Close to the optimum the slope is all rounding,
// while the gap, of first order in the gradient, still improves: such steps are taken if the
// objective does not visibly rise.
template <class ValueAt>
double halved_step(const StepStart& start, std::vector<double>& predictor, ValueAt&& value_at,
                   Watch& watch) {
  constexpr double kArmijo = 0.01, kLeast = 1e-9, kRounding = 1e-14;
  const double rounding = kRounding * start.objective;
  if (start.slope > rounding) return 0.0;
  for (double t = 1.0; t >= kLeast; t *= 0.5) {
    if (t < 1.0)
      for (std::size_t i = 0; i < predictor.size(); ++i)
        predictor[i] = 0.5 * (predictor[i] + start.predictor[i]);
    const double highest = start.objective + kArmijo * t * std::min(start.slope, 0.0) + rounding;
    if (value_at(t) <= highest) return t;
    watch.check();
  }
  return 0.0;
}

}  // namespace banditcd
