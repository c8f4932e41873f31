#include "elastic_net/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "elastic_net/solver.hpp"
#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kSampleTol = 1e-3;
constexpr double kPromising = 0.9;  // share of the threshold
constexpr double kSampleNoise = 0.1;

// y and the row weights of some rows.
struct SampledResponse {
  std::vector<double> y, weight;
  double total_weight;

  SampledResponse(const FitData& fit, const std::vector<Index>& rows) {
    for (const Index i : rows) y.push_back(fit.y[i]);
    total_weight = static_cast<double>(rows.size());
    if (!fit.sample_weight) return;
    for (const Index i : rows) weight.push_back(fit.sample_weight[i]);
    total_weight = std::accumulate(weight.begin(), weight.end(), 0.0);
  }
  FitData fit_data(FitData of_all) const {
    of_all.y = y.data();
    if (of_all.sample_weight) of_all.sample_weight = weight.data();
    return of_all;
  }
};

// Columns in use, and those that nearly are, with their coefficients.
std::vector<std::pair<Index, double>> promising(Bins& bins) {
  const TrainingData& data = bins.data();
  const Pool& pool = bins.pool();
  const Residual& residual = bins.residual();
  // A sample shows a correlation only up to noise: near misses are counted generously.
  const double n = static_cast<double>(data.design().rows());
  const double noise = kSampleNoise * std::sqrt(residual.square() / n);
  const auto near = [&](Index j, double u) {
    const double l = pool.penalties().threshold(j);
    return std::abs(u) >= std::min(kPromising * l, l - noise * bins.columns().norm(j));
  };
  std::vector<std::pair<Index, double>> out;
  for (std::size_t t = 0; t < pool.size(); ++t) {
    const Index j = pool.columns()[t];
    const double w = residual.coefficient(t);
    if (w != 0.0 || near(j, pool.c()[t])) out.emplace_back(j, w);
  }
  for (const Index j : bins.columns().eligible())
    if (!pool.contains(j) && bins.columns().known(j) && near(j, bins.columns().correlation(j)))
      out.emplace_back(j, 0.0);
  return out;
}

// Solves the problem of some rows; what looks promising there, if it is eligible here.
std::vector<std::pair<Index, double>> promising_of_rows(Bins& bins, const std::vector<Index>& rows,
                                                        Watch& watch) {
  TrainingData& data = bins.data();
  const SampledResponse response(data.fit(), rows);
  if (!(response.total_weight > 0.0)) return {};
  const double share = response.total_weight / data.space().total_weight;
  const Penalties& penalties = bins.pool().penalties();
  ElasticNetSolver part(data.design().sample(rows), response.fit_data(data.fit()),
                        bins.pool().bytes(), {1, true});
  part.solve(share * penalties.l1, share * penalties.l2,
             watch.nested(kSampleTol, Limits{}.max_iter));
  watch.check();
  const double drawn = static_cast<double>(rows.size()) / static_cast<double>(data.design().rows());
  data.read(part.bins().data().entries_read() +
            drawn * static_cast<double>(data.design().entries()));
  std::vector<std::pair<Index, double>> out = promising(part.bins());
  const auto no_square = [&](const auto& column) {
    return !(data.facts().square[column.first] > 0.0);
  };
  out.erase(std::remove_if(out.begin(), out.end(), no_square), out.end());
  return out;
}

}  // namespace

void start_from_larger_penalties(Bins& bins, Report& report, Watch& watch) {
  const Penalties wanted = bins.pool().penalties();
  const TrainingData& data = bins.data();
  const double largest = largest_slope(bins.columns().eligible(), data.facts().correlation, wanted);
  if (!bins.plan().saturated(largest)) return;
  const double ratio = largest / (kContinueFirst * wanted.l1);
  const int steps = static_cast<int>(std::ceil(std::log(ratio) / std::log(kContinueStep)));
  const auto back = [&] {
    bins.pool().set_penalties(wanted);
    report.certificate = {};  // what is known belongs to other penalties
  };
  try {
    for (int t = 0; t < steps; ++t) {
      Penalties larger = wanted;
      larger.l1 = wanted.l1 * std::pow(ratio, 1.0 - static_cast<double>(t) / steps);
      bins.pool().set_penalties(larger);
      report.iterations += bins.rough_bins(kContinueTol * data.null_objective(), watch);
    }
  } catch (const Stopped&) {
    back();
    throw;
  }
  back();
}

bool start_from_sample(Bins& bins, double target, Watch& watch) {
  if (bins.plan().regime() != Regime::kPool) return false;
  const std::vector<Index> rows = sampled_rows(
      bins.data().design(), bins.columns().eligible().size(), Spread::kChunks, bins.pool().bytes());
  if (rows.empty()) return false;
  const auto columns = promising_of_rows(bins, rows, watch);
  if (columns.empty()) return false;
  std::vector<Index> entering;
  std::vector<double> coef;
  for (const auto& [j, w] : columns) {
    entering.push_back(j);
    coef.push_back(w);
  }
  bins.plan().consider_whole_gram_of_sample(entering.size());
  bins.grow_pool(entering, watch);
  if (bins.plan().regime() == Regime::kResidual) return true;
  bins.pool().set_coefficients(coef);
  bins.start_pool(watch);
  bins.pool().problem().recompute(watch);
  const double least = bins.pool().rough() ? kRoughShare * bins.data().null_objective() : 0.0;
  bins.solve_pool(std::max(kSampleInner * target, least), watch);
  bins.refresh_residual(watch);
  return true;
}

}  // namespace banditcd::elastic_net
