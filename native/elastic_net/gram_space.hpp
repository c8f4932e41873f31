// Solves in Gram space: with the whole Gram matrix a penalty is solved without the data.
//
// What rounding may hide from it is bounded (gram_rounding.hpp).
//
// A rough Gram matrix has gamma of single precision: enough to say which columns are far below
// their thresholds, and nothing else. Its points are drafts that start() corrects by the truth.
#pragma once
#include "elastic_net/bins.hpp"
#include "elastic_net/drafts.hpp"

namespace banditcd::elastic_net {

class GramSpace {
 public:
  // The bins whose pool holds all columns; they outlive this.
  explicit GramSpace(Bins& bins) : bins_(bins) {}

  // Solves to the aim as far as Gram space can tell, and commits the point without its residual.
  // False if rounding is not far below the aim. An aim that likely rounding hides moves up to it:
  // as far as the target where Gram space certifies, if the bound of rounding is far below that,
  // else half of that way in digits.
  bool solve(double aim, Report& report, Watch& watch);
  // Lets the pool start at a draft, with the true values where they are known: a rough Gram matrix
  // then only models what changes from there.
  void start(const Draft& draft, const std::vector<double>& correlation, Watch& watch);
  // The point of the pool, and which columns its certificate needs: all others are proven to be
  // below their thresholds by Gram space and its rounding.
  Draft draft(const Report& report, double aim) const;

 private:
  GramRounding rounding() const;
  // Whether the certificate may come from Gram space, with all that rounding may hide.
  bool certifies(const GramRounding& error, double target) const;
  // The aim, or what likely rounding lets a point of Gram space reach, at most a share of the way
  // to the target.
  double reachable(const GramRounding& likely, double aim, double target) const;
  // The gap from Gram space alone, plus what rounding may have hidden: an upper bound.
  Certificate certify(const GramRounding& error);

  Bins& bins_;
  Terms terms_;
  double started_ = 0.0;  // the largest sum_j |w_j| |x_j| of a start
};

}  // namespace banditcd::elastic_net
