#include "svm/sample_start.hpp"

#include "kernels/rng.hpp"
#include "svm/newton.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {
namespace {

// One row in `share`, each drawn from its own stretch of the data, with its cost scaled up; both
// rows of a pair.
Problem sample(const Problem& problem, std::size_t share, Rng& rng) {
  Problem out;
  out.rows = problem.rows;
  out.loss = problem.loss;
  out.free_bias = problem.free_bias;
  out.C = problem.C * static_cast<double>(share);
  out.weights = problem.weights;
  out.squares = problem.squares;
  out.null = problem.null;
  const std::size_t group = problem.paired() ? 2 : 1, groups = problem.size() / group;
  out.ids.reserve(group * (groups / share));
  for (std::size_t first = 0; first + share <= groups; first += share) {
    const std::size_t begin = group * (first + rng.integer(share));
    for (std::size_t t = begin; t < begin + group; ++t) out.add(problem.ids[t]);
  }
  return out;
}

}  // namespace

std::vector<double> sample_start(const Problem& problem, Steps steps, Watch& watch) {
  std::vector<double> w(problem.dim(), 0.0);
  Rng rng(20180507);
  for (std::size_t level = 0; level < std::size(kSampleShares); ++level) {
    const std::size_t share = kSampleShares[level];
    if (problem.size() / share < kSampleRowsPerColumn * problem.dim()) continue;
    const Problem part = sample(problem, share, rng);
    Newton method(part, steps);
    Budget budget;
    budget.target = kSampleGaps[level] * part.reference();
    budget.entries = kInfinity;
    method.start(w, watch);
    method.run(budget, watch);
    w = method.weights();
  }
  return w;
}

}  // namespace banditcd::svm
