// The certified linear support vector machine: chooses a method, checks what it returns.
//
//   min over w, b of  1/2 |w|^2 + C sum_i s_i loss(y_i (x_i . w + b)),
//
// loss = hinge or squared hinge; no intercept, a penalized one (an appended constant feature) or a
// free one. attempt() in plan.cpp is the whole plan; the constants are in cost_model.hpp.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "solve/report.hpp"
#include "svm/certificate.hpp"
#include "svm/descent.hpp"
#include "svm/newton.hpp"

namespace banditcd::svm {

enum class Regime { kNull, kDescent, kNewton, kProximalNewton, kDescentThenNewton, kGram };
constexpr const char* regime_name(Regime regime) {
  constexpr const char* names[] = {
      "null", "descent", "newton", "proximal_newton", "descent_then_newton", "gram"};
  return names[static_cast<int>(regime)];
}

struct Options {
  Loss loss = Loss::kSquaredHinge;
  bool free_bias = false;
  const double* sample_weight = nullptr;  // borrowed, one per stored row; null means ones
};

class SvmSolver {
 public:
  SvmSolver(std::unique_ptr<Rows> rows, const Options& options);

  // Starts from the dual variables of the previous call, clipped to the new box.
  Report solve(double C, const Limits& limits);
  void set_duals(const double* a);
  const std::vector<double>& weights() const { return w_; }  // rows.dim() values
  const std::vector<double>& duals() const { return a_; }    // one per row
  const Rows& rows() const { return *rows_; }
  // The objective of the null model, to which tolerances are relative.
  double null_objective(double C) {
    build(C);
    return null_objective();
  }

 private:
  struct Pair {
    std::vector<double> w, a;  // a by place in the problem
    bool warm = false;         // both hold something worth starting from
    bool same = true;          // w is the v of a, but for a free intercept
    Regime regime = Regime::kNull;
    Bias bias = Bias::kKeep;
    double terms = -1.0;  // sum of gap terms, if read off the data at w
    double drift = std::numeric_limits<double>::infinity();  // bound of |w - v|, with terms
  };

  void build(double C);
  double null_objective() const;
  bool trivial(Pair& pair) const;
  void start(Pair& pair, Watch& watch) const;
  Certificate certificate(Pair& pair, double target) const;
  void store(const Pair& pair, double C);
  void set_null(Pair& pair) const;
  void keep_better(const Pair& before, Pair& pair) const;
  void fall_back(Pair& pair, Certificate& certificate) const;
  double still(double goal) const;
  double weight_of(std::size_t i) const {
    if (options_.sample_weight == nullptr) return 1.0;
    return options_.sample_weight[rows_->goals() != nullptr ? i / 2 : i];
  }
  double goal_of(std::size_t i) const {
    return rows_->goals() != nullptr ? rows_->goals()[i] : 1.0;
  }

  // plan.cpp
  Rival newton_rival() const;
  Rival gram_rival() const;
  double sweep_cost() const;
  bool tall() const;
  Outcome choose(Budget& budget, Pair& pair, Watch& watch);
  Outcome go_on(Budget& budget, Pair& pair, Watch& watch);
  Outcome attempt(Budget& budget, Pair& pair, Watch& watch);
  Outcome descend(Budget& budget, Pair& pair, Watch& watch);
  Outcome newton(Budget& budget, Pair& pair, Watch& watch);
  // starts.cpp
  std::vector<double> sample_start(Watch& watch) const;
  Outcome in_gram_space(Budget& budget, Pair& pair, Watch& watch);
  bool factor_gram(const Triangle& gram, Cholesky& factor, Watch& watch) const;
  Outcome solve_reduced(Budget& budget, const Pair& from, Pair& small, Watch& watch);
  void lift(const Cholesky& factor, const Pair& small, Pair& pair);

  std::unique_ptr<Rows> rows_;
  Options options_;
  std::vector<double> square_;  // |x_i|^2
  Problem problem_;
  double constant_loss_ = 0.0;  // of empty rows, whose margin is always 0
  Constant null_;               // of paired rows, without the empty ones
  std::vector<double> w_, a_;
  bool warm_ = false;
};

}  // namespace banditcd::svm
