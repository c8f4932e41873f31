#include "multinomial/best_point.hpp"

#include "multinomial/strategy.hpp"

namespace banditcd::multinomial {

bool BestPoint::poor_start(const Point& point) const {
  return !(point.primal() <= null_objective_ * (1.0 + kRounding));
}

bool BestPoint::offer(const Point& point, double gap, double slack, Report& report) {
  if (!(gap < slack * gap_)) return false;
  w_ = point.w;
  b_ = point.b;
  gap_ = gap;
  report.certificate.gap = gap;
  report.certificate.primal = point.primal();
  return true;
}

void BestPoint::restore(Point& point, Report& report) const {
  if (gap_ < kInfinity) {
    point.w = w_;
    point.b = b_;
  } else {
    point.set_null();
    report.certificate.primal = report.certificate.gap = null_objective_;
  }
}

void BestPoint::finish(Point& point, Report& report) const {
  restore(point, report);
  if (report.status == Status::kStalled && report.certificate.gap >= report.certificate.primal)
    report.status = Status::kUncertified;
}

}  // namespace banditcd::multinomial
