#include "svm/dual_sums.hpp"

#include "kernels/vector.hpp"

namespace banditcd::svm {

void DualSums::update() {
  for (int side = 0; side < 2; ++side) add(side);
}

void DualSums::add(int side) {
  Changes& changes = changed_[side];
  problem_.rows->accumulate(changes.ids.data(), changes.amounts.data(), changes.size(),
                            v_[side].data());
  changes.clear();
}

double DualSums::product(const std::vector<double>& d) const {
  return dot(v_[0].data(), d.data(), d.size()) + dot(v_[1].data(), d.data(), d.size());
}

// sum of a times goal over one class.
double DualSums::reached(int side, const std::vector<double>& a) const {
  double sum = 0.0;
  for (std::size_t t = 0; t < a.size(); ++t)
    if ((problem_.rows->label(problem_.ids[t]) > 0.0) == (side == 1))
      sum += a[t] * problem_.goal_of(t);
  return sum;
}

// The heavier class is scaled by a factor f so that sum y a = 0: v moves by (1 - f) of the class,
// and the class loses (1 - f) sum a (1 - m) of the linear terms (hinge) or gains the square of it
// (squared hinge). The sums are products with w.
double DualSums::balancing_cost(const std::vector<double>& w, const std::vector<double>& g,
                                const std::vector<double>& a) const {
  const std::size_t last = problem_.dim() - 1;
  const double sums[2] = {-v_[0][last], v_[1][last]};  // sum of a in each class
  const int heavier = sums[1] > sums[0];
  if (sums[0] == sums[1]) return 0.0;
  const std::vector<double>& v = v_[heavier];
  const double rest = 1.0 - sums[!heavier] / sums[heavier];
  const double cross = dot(g.data(), v.data(), last), own = dot(v.data(), v.data(), last);
  const double goals = problem_.paired() ? reached(heavier, a) : sums[heavier];
  const double linear = goals - dot(w.data(), v.data(), last + 1);
  const double moved = rest * cross + 0.5 * rest * rest * own;
  const bool hinge = problem_.loss == Loss::kHinge;
  return moved + (hinge ? rest * linear : 0.5 * rest * rest * linear);
}

}  // namespace banditcd::svm
