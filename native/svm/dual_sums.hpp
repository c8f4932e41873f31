// v = sum_i a_i z_i, kept up to date as dual variables change; by class with a free intercept, so
// that what balancing would cost is known without reading a row.
#pragma once
#include <vector>

#include "svm/problem.hpp"

namespace banditcd::svm {

class DualSums {
 public:
  explicit DualSums(const Problem& problem)
      : problem_(problem),
        v_{std::vector<double>(problem.dim(), 0.0), std::vector<double>(problem.dim(), 0.0)} {}

  // The dual variable of a row, by its place in the data, changes by this amount, at the latest at
  // the next update().
  void change(Index id, double amount) {
    const bool second = problem_.free_bias && problem_.rows->label(id) > 0.0;
    if (changed_[second].full()) add(second);
    changed_[second].push(id, amount);
  }
  void update();
  double rest(std::size_t j, double from) const { return from - v_[0][j] - v_[1][j]; }
  // v . d
  double product(const std::vector<double>& d) const;
  // The rise of the gap of (w, a), with gradient g = w - v, when a is balanced.
  double balancing_cost(const std::vector<double>& w, const std::vector<double>& g,
                        const std::vector<double>& a) const;

 private:
  void add(int side);
  double reached(int side, const std::vector<double>& a) const;

  const Problem& problem_;
  std::vector<double> v_[2];  // negative class, positive class; all in the first otherwise
  Changes changed_[2];
};

}  // namespace banditcd::svm
