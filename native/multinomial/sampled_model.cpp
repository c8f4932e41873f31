#include "multinomial/sampled_model.hpp"

#include "kernels/prices.hpp"

namespace banditcd::multinomial {
namespace {

// The sparsest sample with rows enough for this many coordinates; 1: there is none. One of half the
// rows saves less than what its errors cost.
std::size_t step_for(const Problem& problem, std::size_t coordinates) {
  std::size_t step = kSampleStep;
  while (step > 1 && problem.count() < step * kCoupledRows * coordinates) step /= 2;
  return step >= kDensestSample ? step : 1;
}

}  // namespace

bool SampledModel::applies(const Problem& problem, const ClassColumns& X, const Pool& pool,
                           double bytes) const {
  const std::size_t step = step_for(problem, pool.size());
  if (failed_ || step == 1 || pool.size() == 0 || X.bytes_of_part(step) > bytes) return false;
  const std::size_t size = pool.size() + problem.classes();
  if (GramModel::cost(problem.count(), size) <
      kSampledWorth * kStepEntry * static_cast<double>(problem.values()))
    return false;
  double entries = 0.0;
  for (const Index j : pool.column)
    entries += static_cast<double>(X.entries(static_cast<std::size_t>(j)));
  const double epoch = entries * (X.sparse() ? kSparseEpoch : kDenseEpoch);
  return GramModel::cost(problem.count() / step, size) <= kSampledEpochs * epoch;
}

double SampledModel::solve(const Problem& problem, const ClassColumns& X, const Point& point,
                           const Pool& pool, ModelStep& out, Watch& watch) {
  double work = 0.0;
  const std::size_t size = pool.size(), epochs = gram_.epochs(), newtons = gram_.newtons();
  if (!known_) {
    const std::size_t step = step_for(problem, size);
    if (step != step_) part_ = X.part(step, watch);
    step_ = step;
    watch.check();
  }
  const ModelProblem model = {problem, *part_, point, pool, 0.0, kLeastDamping, step_};
  if (!known_) {
    gram_.fill(model, watch);
    work += GramModel::cost(part_->rows(), size + problem.classes());
    known_ = true;
    age_ = 0;
    promise_ = kInfinity;
  } else {
    gram_.learn(model);
  }
  gram_.minimize(model, out, watch);
  return work + static_cast<double>((gram_.epochs() - epochs) * size) * gram_update(size) +
         static_cast<double>(gram_.newtons() - newtons) * factor_cost(size);
}

// An old matrix is made anew at the next point; one of this very point has too few rows.
void SampledModel::note(double length, double promise) {
  const bool good = length == 1.0 && promise < kSampledFall * promise_;
  if (!good && age_ == 0) failed_ = true;
  if (!good) known_ = false;
  ++age_;
  promise_ = promise;
}

}  // namespace banditcd::multinomial
