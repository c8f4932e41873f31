// Semismooth Newton in feature space. The squared hinge is minimized directly; the hinge through a
// proximal loop on the dual (the method of multipliers, Rockafellar, 1976; Li, Sun and Toh, 2018),
// whose steps are those of a squared hinge with another map from margins to dual variables
// (dual_map.hpp).
//
// One step solves (R + h sum_free C z z^T) d = v - w with v = sum a(m) z (directions.hpp) and
// searches the segment [w, w + d] exactly (segment.hpp). With a = a(m) the squared hinge has gap
// 1/2 |w - v|^2, so the certificate is free; the hinge adds the complementarity terms. Rows proven
// flat along the whole segment by the lazy bound are not read (live_rows.hpp).
#pragma once
#include <memory>
#include <vector>

#include "svm/budget.hpp"
#include "svm/directions.hpp"
#include "svm/dual_map.hpp"
#include "svm/dual_sums.hpp"
#include "svm/live_rows.hpp"
#include "svm/pace.hpp"
#include "svm/pair.hpp"

namespace banditcd::svm {

class Newton {
 public:
  Newton(const Problem& problem, Steps steps);
  // From weights alone, or (hinge) from a pair whose dual variables become the centers, with a
  // proximal weight.
  void start(const std::vector<double>& w, Watch& watch);
  void start_at_duals(const Pair& pair, double proximal, Watch& watch);
  // With a pace it yields to descent when that is to go on; run() again goes on from here.
  Outcome run(Budget& budget, Watch& watch, Pace* pace = nullptr);

  // The better of the current pair and the best finished proximal step, or the pair that it started
  // from, and its gap.
  double gap() const { return kept_is_better() ? kept_gap_ : gap_; }
  const std::vector<double>& weights() const { return kept_is_better() ? kept_w_ : w_; }
  // Once: its dual variables are given away.
  Pair last_pair();

 private:
  void read_at(const std::vector<double>& w, Watch& watch);
  void evaluate(Watch& watch);
  double measure();
  double objective() const;
  void next_center();
  bool predict(Watch& watch);
  void limit_free_bias();
  double step_along(Watch& watch);
  double search() const;
  void move(double t);
  bool hinge() const { return map_.hinge(); }
  Regime regime() const { return hinge() ? Regime::kProximalNewton : Regime::kNewton; }
  bool kept_is_better() const { return kept_gap_ < gap_; }

  const Problem& problem_;
  DualMap map_;
  LiveRows rows_;
  DualSums sums_;
  std::unique_ptr<Directions> directions_;
  std::vector<double> w_, a_, g_, d_;  // the pair, the gradient w - v, the direction
  double gap_ = 0.0, terms_ = 0.0;     // of the pair, and its complementarity terms
  std::vector<double> kept_w_;         // of the best finished proximal step, or the start
  double kept_gap_ = kInfinity;
  std::size_t inner_steps_ = 0;  // since the last change of the proximal weight
};

}  // namespace banditcd::svm
