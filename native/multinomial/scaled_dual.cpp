#include "multinomial/scaled_dual.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::multinomial {

void ScaledDual::add(double w, double u, const Penalty& g, double norm) {
  if (g.hard(u)) {
    if (g.l > 0.0)
      most_ = std::min(most_, std::fabs(u) > 0.0 ? g.l / std::fabs(u) : 1.0);
    else if (std::fabs(u) > kOrthogonal * norm)
      feasible_ = false;
  }
  if (w != 0.0 || g.excess(u) > 0.0) terms_.push_back({w, u, g});
}

double ScaledDual::gap(bool balanced) const {
  const double rest = balanced ? point_.leftover() : 0.0;
  return gap([&](double t) { return losses_at(t, balanced) + rest; });
}

double ScaledDual::gap(const std::function<double(double)>& losses) const {
  const double primal = point_.primal();
  if (!feasible_) return primal;
  const auto at = [&](double t) { return terms_at(t) + losses(t); };
  double gap = at(most_);
  // With an L2 part no scale is forbidden, but that of the L1 box may be better.
  double box = 1.0;
  for (const Term& term : terms_)
    if (std::fabs(term.u) > 0.0) box = std::min(box, term.g.l / std::fabs(term.u));
  if (box > 0.0 && box < most_) gap = std::min({gap, at(box), at(0.5 * (box + most_))});
  return std::min(gap, primal);
}

double ScaledDual::terms_at(double t) const {
  double sum = 0.0;
  for (const Term& term : terms_) {
    const double u = t * term.u;
    if (term.g.free()) {
      sum += price_of_rest(u, term.w);
      continue;
    }
    sum += std::max(0.0, term.g.value(term.w) + term.g.conjugate(u) - term.w * u);
  }
  return sum;
}

// sum_i s_i KL(q_i || p_i) for q = (1 - t) y + t p: with m the probability of all wrong classes,
// t m log t + (1 - t m) log((1 - t m) / (1 - m)).
double ScaledDual::losses_at(double t, bool whole) const {
  if (t == 1.0) return 0.0;
  double sum = 0.0;
  const double log_t = std::log(t), rest = 1.0 - t;
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double s = problem_.weight(i);
    const auto label = static_cast<std::size_t>(problem_.rows.label[i]);
    if (s == 0.0) continue;
    const double wrong = point_.theta[i * problem_.width() + label] / s;
    const double right = point_.p[i * problem_.width() + label];
    const double missing = whole ? point_.missing(i, label) : 0.0;
    const double change = std::log1p(rest * wrong / right) + missing;
    sum += s * std::max(0.0, t * wrong * log_t + (1.0 - t * wrong) * change);
  }
  return sum;
}

}  // namespace banditcd::multinomial
