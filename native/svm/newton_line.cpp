// The segment of a Newton step: which rows can matter on it, and the exact search along it.
#include <cmath>

#include "kernels/vector.hpp"
#include "svm/newton.hpp"

namespace banditcd::svm {

void Newton::choose_live(Watch& watch) {
  ring_.relate(w_.data(), d_.data());
  const Ring::Place expiring = ring_.expiring();
  std::vector<Index> stale;
  next_live_.clear();
  ids_.clear();
  for (std::size_t t = 0; t < problem_.size(); ++t) {
    const bool live = slack_[t] <= 0.0 || seen_[t] == expiring ||
                      norm_[t] * ring_.distance(seen_[t]) >= slack_[t];
    if (live) {
      next_live_.push_back(static_cast<Index>(t));
      if (!is_live_[t]) {
        stale.push_back(static_cast<Index>(t));
        ids_.push_back(problem_.ids[t]);
      }
    }
    is_live_[t] = live;
  }
  // Rows that come back must be read at w: their margins are those of an older point.
  values_.resize(stale.size());
  problem_.rows->margins(ids_.data(), ids_.size(), w_.data(), values_.data(), watch);
  for (std::size_t k = 0; k < stale.size(); ++k) margin_[stale[k]] = values_[k];
  live_.swap(next_live_);
  ids_.clear();
  for (const Index t : live_) ids_.push_back(problem_.ids[t]);
  q_.resize(live_.size());
  problem_.rows->margins(ids_.data(), ids_.size(), d_.data(), q_.data(), watch);
}

// The derivative along the segment: constant + t square - sum over live rows of a(m + t q) q. The
// dual variables are clip(base - t fall, 0, upper), in arrays that one evaluation reads in order.
struct Newton::Line {
  double constant, square;
  std::vector<double> base, fall, upper;
};

Newton::Line Newton::line() const {
  const std::size_t penalized = problem_.penalized(), live = live_.size();
  Line line{dot(w_.data(), d_.data(), penalized), dot(d_.data(), d_.data(), penalized), {}, {}, {}};
  line.constant -=
      dot(v_[0].data(), d_.data(), d_.size()) + dot(v_[1].data(), d_.data(), d_.size());
  line.base.resize(live);
  line.fall.resize(live);
  if (hinge()) line.upper.resize(live);
  const double unit = scale();
  for (std::size_t k = 0; k < live; ++k) {
    const Index t = live_[k];
    const double weight = unit * problem_.cost[t];
    line.base[k] = (hinge() ? center_[t] : 0.0) + weight * (problem_.goal_of(t) - margin_[t]);
    line.fall[k] = weight * q_[k];
    if (hinge()) line.upper[k] = problem_.cost[t];
    line.constant += a_[t] * q_[k];
  }
  return line;
}

double Newton::slope(const Line& line, double t) const {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  const std::size_t live = live_.size();
  const bool boxed = !line.upper.empty();
  for (std::size_t k = 0; k < live; ++k) {
    double a = std::max(line.base[k] - t * line.fall[k], 0.0);
    if (boxed) a = std::min(a, line.upper[k]);
    sum[k % 4] += a * q_[k];
  }
  return line.constant + t * line.square - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

// The minimizer on (0, 1]: the derivative increases, so a bracketed secant step (Illinois) finds
// it. Never beyond 1: rows that are not live are only proven flat up to there.
double Newton::search() const {
  double low = 0.0, low_slope = dot(g_.data(), d_.data(), d_.size());
  if (!(low_slope < 0.0)) return 0.0;
  const double enough = kFlatSlope * -low_slope;
  const Line line = this->line();
  double high = 1.0, high_slope = slope(line, 1.0);
  if (high_slope <= enough) return 1.0;
  int side = 0;
  for (int step = 0; step < 40; ++step) {
    double t = (low * high_slope - high * low_slope) / (high_slope - low_slope);
    if (!(t > low && t < high)) t = 0.5 * (low + high);
    if (step % 6 == 5) t = 0.5 * (low + high);
    const double at = slope(line, t);
    if (std::abs(at) <= enough) return t;
    if (at < 0.0) {
      low = t;
      low_slope = at;
      if (side == -1) high_slope *= 0.5;
      side = -1;
    } else {
      high = t;
      high_slope = at;
      if (side == 1) low_slope *= 0.5;
      side = 1;
    }
  }
  return low;  // never a point beyond the minimum
}

void Newton::move(double t) {
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * d_[j];
  for (std::size_t k = 0; k < live_.size(); ++k) margin_[live_[k]] += t * q_[k];
  now_ = ring_.remember(w_.data());
}

}  // namespace banditcd::svm
