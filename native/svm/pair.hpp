// A pair of weights and dual variables, and what is known about it.
#pragma once
#include <vector>

#include "solve/limits.hpp"
#include "svm/certificate.hpp"

namespace banditcd::svm {

enum class Regime { kNull, kDescent, kNewton, kProximalNewton, kDescentThenNewton, kGram };
constexpr const char* regime_name(Regime regime) {
  constexpr const char* names[] = {
      "null", "descent", "newton", "proximal_newton", "descent_then_newton", "gram"};
  return names[static_cast<int>(regime)];
}

constexpr Regime kRegimes[] = {Regime::kNull,           Regime::kDescent,           Regime::kNewton,
                               Regime::kProximalNewton, Regime::kDescentThenNewton, Regime::kGram};

struct Pair {
  std::vector<double> w, a;  // a by place in the problem
  bool warm = false;         // both hold something worth starting from
  bool same = true;          // w is the v of a, but for a free intercept
  Regime regime = Regime::kNull;
  Bias bias = Bias::kKeep;
  double terms = -1.0;       // sum of gap terms, if read off the data at w
  double drift = kInfinity;  // bound of |w - v|, with terms
};

// The gap of a pair, from the data.
inline double gap_of(const Problem& problem, Pair pair) {
  return certify(problem, pair.bias, pair.w, pair.a).gap;
}

}  // namespace banditcd::svm
