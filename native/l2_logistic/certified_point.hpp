// The point with the smallest gap so far: what a stopped solve returns.
#pragma once
#include <vector>

#include "l2_logistic/point.hpp"
#include "solve/report.hpp"

namespace banditcd::l2_logistic {

class CertifiedPoint {
 public:
  void clear() {
    w_.clear();
    last_ = false;
  }
  void keep(const Point& point, double gap, Report& report) {
    if (!(gap <= report.certificate.gap)) return;
    report.certificate.gap = gap;
    report.certificate.primal = point.primal;
    last_ = report.accepted();
    if (last_) return;
    w_ = point.w;
    b_ = point.b;
  }
  // False, and the point as it is, if nothing was kept.
  bool restore(Point& point) const {
    if (last_) return true;
    if (w_.empty()) return false;
    point.w = w_;
    point.b = b_;
    return true;
  }

 private:
  std::vector<double> w_;
  double b_ = 0.0;
  bool last_ = false;  // an accepted point is the last one: it stays where it is
};

}  // namespace banditcd::l2_logistic
