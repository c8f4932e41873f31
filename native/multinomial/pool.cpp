#include "multinomial/pool.hpp"

#include <algorithm>
#include <functional>

namespace banditcd::multinomial {

void Pool::choose(const Problem& problem, const Point& point, const Candidates& among) {
  const std::size_t width = problem.width();
  std::vector<double> excess;
  for (const Index j : among.eligible) {
    const Penalty g = problem.penalty.at(j);
    for (std::size_t k = 0; k < problem.classes(); ++k)
      if (point.w[j * width + k] == 0.0 && among.norm[j] > 0.0) {
        const double more = g.excess(among.u[j * width + k]) / among.norm[j];
        if (more > 0.0) excess.push_back(more);
      }
  }
  const std::size_t most = std::max(kLeastNew, point.support());
  double least = 0.0;
  if (excess.size() > most) {
    std::nth_element(excess.begin(), excess.begin() + static_cast<std::ptrdiff_t>(most - 1),
                     excess.end(), std::greater<double>());
    least = excess[most - 1];
  }
  take(problem, point, among, [&](double w, double pull, Index j) {
    const double more =
        among.norm[j] > 0.0 ? problem.penalty.at(j).excess(pull) / among.norm[j] : 0.0;
    return w != 0.0 || (more > 0.0 && more >= least);
  });
}

void Pool::choose_all(const Problem& problem, const Point& point, const Candidates& among) {
  take(problem, point, among,
       [&](double w, double, Index j) { return w != 0.0 || among.norm[j] > 0.0; });
}

template <class Wanted>
void Pool::take(const Problem& problem, const Point& point, const Candidates& among,
                Wanted&& wanted) {
  const std::size_t width = problem.width();
  clear();
  for (std::size_t k = 0; k < problem.classes(); ++k)
    for (const Index j : among.eligible) {
      const double w = point.w[j * width + k], pull = among.u[j * width + k];
      if (!wanted(w, pull, j)) continue;
      column.push_back(j);
      label.push_back(static_cast<std::int32_t>(k));
      g.push_back(problem.penalty.at(j));
      x.push_back(w);
      u.push_back(pull);
    }
  find_places();
}

// Both have their classes, and the columns of each, in order.
bool Pool::within(const Pool& other) const {
  std::size_t at = 0;
  for (std::size_t c = 0; c < size(); ++c, ++at) {
    while (at < other.size() && (other.label[at] != label[c] || other.column[at] != column[c]))
      ++at;
    if (at == other.size()) return false;
  }
  return true;
}

void Pool::prune() {
  std::size_t kept = 0;
  for (std::size_t c = 0; c < size(); ++c) {
    if (x[c] == 0.0 && !(g[c].excess(u[c]) > 0.0)) continue;
    column[kept] = column[c];
    label[kept] = label[c];
    g[kept] = g[c];
    x[kept] = x[c];
    u[kept++] = u[c];
  }
  if (kept == size()) return;
  column.resize(kept);
  label.resize(kept);
  g.resize(kept);
  x.resize(kept);
  u.resize(kept);
  find_places();
}

void Pool::find_places() {
  used = column;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  place.resize(size());
  for (std::size_t c = 0; c < size(); ++c)
    place[c] = static_cast<std::size_t>(std::lower_bound(used.begin(), used.end(), column[c]) -
                                        used.begin());
}

void Pool::refresh(const ClassColumns& X, const Problem& problem, const Point& point,
                   Watch& watch) {
  const std::size_t width = problem.width();
  AlignedVector pulls(used.size() * width);
  X.correlate(used.data(), used.size(), point.theta.data(), width, pulls.data(), watch);
  for (std::size_t c = 0; c < size(); ++c) {
    const auto k = static_cast<std::size_t>(label[c]);
    x[c] = point.w[static_cast<std::size_t>(column[c]) * width + k];
    u[c] = pulls[place[c] * width + k];
  }
}

}  // namespace banditcd::multinomial
