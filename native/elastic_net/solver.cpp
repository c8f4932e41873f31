#include "elastic_net/solver.hpp"

#include <algorithm>
#include <utility>

#include "elastic_net/start.hpp"
#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kWorse = 1.0 + 1e-9;  // times the null model's objective: not rounding any more

}  // namespace

ElasticNetSolver::ElasticNetSolver(std::unique_ptr<Design> design, const FitData& data,
                                   std::size_t pool_bytes, const Purpose& purpose)
    : bins_(std::move(design), data, pool_bytes, purpose), path_(bins_) {}

Report ElasticNetSolver::solve(double l1, double l2, const Limits& limits) {
  const Solved solved = run(l1, l2, limits, Space::kGram);
  if (!solved.draft) return complete(solved.report);
  Watch watch(limits.without_deadline());
  Report out;
  const auto keep = [&](const Draft& draft) { out = finish(draft, limits, watch); };
  path_.start(limits.work_tol());
  path_.add(solved.report, 0);
  or_restore([&] { path_.settle({&l1, &l2, 1, nullptr}, keep, watch); });
  return out;
}

std::vector<Report> ElasticNetSolver::solve_path(const PathRequest& request, const Limits& limits) {
  std::vector<Report> reports(request.count);
  or_restore([&] { follow_path(request, limits, reports); });
  return reports;
}

// Main loop: the penalties of a path, as drafts where that pays.
void ElasticNetSolver::follow_path(const PathRequest& request, const Limits& limits,
                                   std::vector<Report>& reports) {
  Watch watch(limits.without_deadline());
  const auto write = [&](std::size_t k, const Report& report) {
    coefficients(request.coef + k * design().cols());
    reports[k] = report;
  };
  const auto keep = [&](const Draft& draft) { write(draft.place, finish(draft, limits, watch)); };
  path_.start(limits.work_tol());
  for (std::size_t k = 0; k < request.count; ++k) {
    // 1. One penalty, in Gram space if it can be.
    const Solved solved = run(request.l1[k], request.l2[k], limits, Space::kGram);
    watch.check();
    if (!solved.draft) {
      write(k, complete(solved.report));
      path_.settle(request, keep, watch);
      continue;
    }
    // 2. The penalties on the line through its solution.
    path_.add(solved.report, k);
    k = path_.follow_line(request, watch);
    // 3. Certificates of a full batch.
    if (path_.full()) path_.settle(request, keep, watch);
  }
  path_.settle(request, keep, watch);
}

ElasticNetSolver::Solved ElasticNetSolver::run(double l1, double l2, const Limits& limits,
                                               Space space) {
  Watch watch(limits);
  Solved out{{}, false};
  Report& report = out.report;
  bins_.set_penalties(l1, l2);
  try {
    bins_.survey(watch);
    bins_.plan().set_work_tol(limits.work_tol());
    bins_.start_pool(watch);
    report.target = limits.tol * null_objective();
    if (space == Space::kGram && bins_.plan().drafts_pay(limits.max_iter) &&
        path_.space().solve(limits.work_tol() * null_objective(), report, watch)) {
      report.status = Status::kConverged;
      out.draft = true;
    } else {
      report.status = run_bins(limits, report, watch);
    }
  } catch (const Stopped& stop) {
    report.status = status_of(stop);
    bins_.restore(report.certificate);
  }
  if (!(report.certificate.primal <= kWorse * null_objective())) bins_.retreat(report.certificate);
  bins_.describe(report);
  report.seconds = watch.seconds();
  return out;
}

Status ElasticNetSolver::run_bins(const Limits& limits, Report& report, Watch& watch) {
  if (bins_.residual().stale()) bins_.refresh_residual(watch);
  if (!warm_ && limits.max_iter >= kContinueBins) start_from_larger_penalties(bins_, report, watch);
  warm_ = true;
  const double aim = limits.work_tol() * null_objective();
  if (bins_.pool().size() == 0 && start_from_sample(bins_, aim, watch)) ++report.iterations;
  const Status status = bins_.solve_at(aim, limits.max_iter, report, watch);
  return report.accepted() ? Status::kConverged : status;
}

// Commits a certified draft; one that falls short continues from where it ended, with the data
// unless Gram space certified it.
Report ElasticNetSolver::finish(const Draft& draft, const Limits& limits, Watch& watch) {
  if (draft.accepted()) {
    bins_.residual().commit_stale(draft.x, draft.intercept);
    return complete(draft.report);
  }
  bins_.pool().set_coefficients(draft.x);
  bins_.pool().problem().recompute(watch);
  bins_.residual().set_stale();
  const Space space = draft.in_gram() ? Space::kGram : Space::kData;
  Report report = run(draft.penalties.l1, draft.penalties.l2, limits, space).report;
  report.iterations += draft.report.iterations;
  report.passes += draft.report.passes;
  report.seconds += draft.report.seconds;
  return complete(report);
}

Report ElasticNetSolver::complete(Report report) {
  report.complete(bins_.residual().intercept());
  return report;
}

void ElasticNetSolver::set_point(const double* coef, const Limits& limits) {
  Watch watch(limits);
  Pool& pool = bins_.pool();
  bins_.set_penalties(kAboveAll, 0.0);
  bins_.survey(watch);
  or_restore([&] {
    bins_.start_pool(watch);
    std::vector<Index> entering;
    for (const Index j : bins_.columns().eligible())
      if (coef[j] != 0.0 && !pool.contains(j)) entering.push_back(j);
    bins_.grow_pool(entering, watch);
    for (std::size_t t = 0; t < pool.size(); ++t)
      pool.x()[t] = pool.penalties().at(pool.columns()[t]).clip(coef[pool.columns()[t]]);
    if (pool.gram() != Pool::Gram::kNone) pool.problem().recompute(watch);
    bins_.refresh_residual(watch);
  });
  warm_ = true;
}

void ElasticNetSolver::coefficients(double* out) {
  std::fill(out, out + design().cols(), 0.0);
  const std::vector<double>& committed = bins_.residual().coefficients();
  for (std::size_t t = 0; t < committed.size(); ++t) out[bins_.pool().columns()[t]] = committed[t];
}

double ElasticNetSolver::largest_penalty(const Limits& limits) {
  Watch watch(limits);
  bins_.survey(watch);
  const TrainingData& data = bins_.data();
  std::vector<double> correlation = data.facts().correlation;
  const double* weight = data.fit().penalty_weight;
  if (weight && std::find(weight, weight + design().cols(), 0.0) != weight + design().cols()) {
    Limits exact = limits;
    exact.tol = kFreeTolerance;
    solve(kAboveAll, 0.0, exact);
    if (bins_.residual().stale()) bins_.refresh_residual(watch);
    const std::vector<Index> all = all_columns(design().cols());
    design().correlate(all.data(), all.size(), bins_.residual().weighted().data(),
                       correlation.data(), watch);
  }
  return largest_slope(bins_.columns().eligible(), correlation, bins_.pool().penalties());
}

void ElasticNetSolver::gram(const std::vector<Index>& columns, double* out) {
  Watch watch;
  bins_.survey(watch);
  const TrainingData& data = bins_.data();
  const std::size_t size = columns.size(), split = size / 2;
  const double* mean = data.facts().mean.data();
  design().append_gram(data.space(), mean, {columns.data(), 0, split, out, size}, watch);
  design().append_gram(data.space(), mean, {columns.data(), split, size, out, size}, watch);
}

}  // namespace banditcd::elastic_net
