// The certificates of multinomial regression with an L1 part or bounds.
#include "multinomial/solver.hpp"

namespace banditcd::multinomial {

void Multinomial::certify(Report& report) {
  judge_columns();
  best_.offer(point_, dual_.gap(true), 1.0, report);
}

// The dual point that the last step predicted. Beside a weak penalty the L1 box is small, and the
// point's own pulls fit only where its gradient has that many digits; those of the model's
// minimizer fit up to the errors of the model.
void Multinomial::look_ahead(Report& report, Watch& watch) {
  const double losses = predicted_.losses(point_, report.target, watch);
  if (!(losses < kInfinity)) return;
  correlate(predicted_.theta(), watch);
  judge_columns();
  const double gap =
      dual_.gap([&](double t) { return t == 1.0 ? losses : predicted_.losses_at(t, point_); });
  best_.offer(point_, gap, 1.0, report);
}

void Multinomial::judge_columns() {
  const std::size_t width = problem_.width();
  dual_.clear();
  for (const Index j : eligible_) {
    const Penalty g = problem_.penalty.at(j);
    for (std::size_t k = 0; k < problem_.classes(); ++k)
      dual_.add(point_.w[j * width + k], u_[j * width + k], g, lengths_.of(problem_, j));
  }
}

double Multinomial::pool_gap() {
  dual_.clear();
  for (std::size_t c = 0; c < pool_.size(); ++c)
    dual_.add(pool_.x[c], pool_.u[c], pool_.g[c], lengths_.of(problem_, pool_.column[c]));
  return dual_.gap(false);
}

}  // namespace banditcd::multinomial
