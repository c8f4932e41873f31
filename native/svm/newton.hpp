// Semismooth Newton in feature space. The squared hinge is minimized directly; the hinge through a
// proximal loop on the dual (the method of multipliers, Rockafellar, 1976; Li, Sun and Toh, 2018):
//
//   squared hinge: a(m) = 2 C (1 - m)+                      free = {m < 1}
//   hinge:         a(m) = clip(center + s C (1 - m), 0, C)  free = {0 < a < C}
//
// One step solves (R + h sum_free C z z^T) d = v - w with v = sum a(m) z and searches the segment
// [w, w + d] exactly. With a = a(m) the squared hinge has gap 1/2 |w - v|^2, so the certificate is
// free; the hinge adds the complementarity terms. Rows proven flat along the whole segment by the
// lazy bound are not read.
#pragma once
#include <vector>

#include "svm/certificate.hpp"
#include "svm/descent.hpp"
#include "svm/hessian.hpp"
#include "svm/ring.hpp"

namespace banditcd::svm {

class Newton {
 public:
  explicit Newton(const Problem& problem);
  // From weights alone, or (hinge) from a pair whose dual variables become the centers.
  void start(const double* w, const double* a, double proximal, Watch& watch);
  Outcome run(Budget& budget, Watch& watch);

  double gap() const { return gap_; }
  // The better of the current pair and the last finished proximal step.
  const std::vector<double>& weights() const { return kept_is_better() ? kept_w_ : w_; }
  const std::vector<double>& duals() const { return kept_is_better() ? center_ : a_; }

 private:
  struct Line;

  double dual_at(std::size_t t, double margin) const;
  void evaluate(Watch& watch);
  void note_row(Index t);
  void read_all(Watch& watch);
  void update_products(Watch& watch);
  void build_hessian(Watch& watch);
  void build_exactly(Watch& watch);
  bool may_round() const;
  double measure();
  double balancing_cost() const;
  void next_center();
  void widen();
  bool direction(Watch& watch);
  void limit_free_bias();
  void choose_live(Watch& watch);
  Line line() const;
  double search() const;
  double slope(const Line& line, double t) const;
  void move(double t);
  bool hinge() const { return problem_.loss == Loss::kHinge; }
  double scale() const { return hinge() ? proximal_ : 2.0; }
  bool kept_is_better() const { return kept_gap_ < gap_; }

  const Problem& problem_;
  double proximal_ = 1.0, gap_ = 0.0, terms_ = 0.0, kept_gap_ = 0.0;
  std::size_t inner_steps_ = 0;
  std::vector<double> w_, g_, d_, kept_w_;
  std::vector<double> v_[2];  // by class with a free intercept, else all in the first
  std::vector<double> margin_, q_, a_, center_, slack_, norm_;
  std::vector<char> is_free_, is_live_;
  std::vector<Ring::Place> seen_;
  Ring ring_;
  Ring::Place now_ = 0;
  std::vector<Index> live_, next_live_, ids_;
  std::vector<double> values_;
  struct Changes {
    std::vector<Index> ids;
    std::vector<double> amounts;
    void clear() {
      ids.clear();
      amounts.clear();
    }
    void push(Index id, double amount) {
      ids.push_back(id);
      amounts.push_back(amount);
    }
    void pop() {
      ids.pop_back();
      amounts.pop_back();
    }
  };
  Changes changed_[2], entering_, leaving_;
  std::size_t free_rows_ = 0;
  Hessian hessian_;
};

}  // namespace banditcd::svm
