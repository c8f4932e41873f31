// The duality gap of a point at a scaled dual point: t theta is the dual point of the distributions
// q = (1 - t) y + t p, balanced if p is, and t u stays inside the L1 box for t small enough.
#pragma once
#include <functional>
#include <vector>

#include "multinomial/point.hpp"
#include "solve/certificate.hpp"

namespace banditcd::multinomial {

class ScaledDual {
 public:
  ScaledDual(const Problem& problem, const Point& point) : problem_(problem), point_(point) {}
  void clear() {
    terms_.clear();
    most_ = 1.0;
    feasible_ = true;
  }
  // A coordinate with its correlation u; norm: of its column times the root of all weight, which
  // tells what rounding is if nothing is penalized.
  void add(double w, double u, const Penalty& g, double norm);
  // The gap of the best of a few scales; that of the dual point zero if there is none.
  // balanced: whether intercepts have to be, up to rounding, or are left out of the account, as is
  // what logarithms beyond that of the least probability lack: the guide of a step, no certificate.
  double gap(bool balanced) const;
  // The same at other distributions q, which the correlations belong to; losses(t) is what
  // (1 - t) y + t q have, sum_i s_i KL(. || p_i) and the intercepts.
  double gap(const std::function<double(double)>& losses) const;

 private:
  double terms_at(double t) const;
  double losses_at(double t, bool whole) const;  // but for the intercepts

  const Problem& problem_;
  const Point& point_;
  std::vector<Term> terms_;
  double most_ = 1.0;
  bool feasible_ = true;
};

}  // namespace banditcd::multinomial
