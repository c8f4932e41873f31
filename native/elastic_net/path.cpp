// One penalty after another, in the space of the data or of the Gram matrix.
#include <algorithm>

#include "elastic_net/solver.hpp"
#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {

Report RecordSolver::solve(double l1, double l2, const Limits& limits) {
  const Report report = run(l1, l2, limits, Space::kGram);
  if (!drafted_) return complete(report);
  std::vector<Draft> one{draft(report)};
  certify_or_stop(one, limits);
  intercept_ = one[0].intercept;
  return complete(one[0].accepted() ? one[0].report : redo(one[0], limits));
}

std::vector<Report> RecordSolver::solve_path(const PathRequest& request, const Limits& limits) {
  std::vector<Report> reports(request.count);
  std::vector<Draft> drafts;
  drafts.reserve(std::min(request.count, batch_size() + 1));
  line_wait_ = line_failures_ = 0;
  for (std::size_t k = 0; k < request.count; ++k) {
    const Report report = run(request.l1[k], request.l2[k], limits, Space::kGram);
    if (report.status == Status::kInterrupted) return reports;
    if (!drafted_) {
      write(request, k, report, reports);
    } else {
      drafts.push_back(draft(report));
      drafts.back().place = k;
      k = follow_line(request, drafts, limits);
      if (drafts.size() < batch_size()) continue;
    }
    settle(request, drafts, limits, reports);
  }
  settle(request, drafts, limits, reports);
  return reports;
}

void RecordSolver::write(const PathRequest& request, std::size_t k, const Report& report,
                         std::vector<Report>& reports) const {
  coefficients(request.coef + k * design_->cols());
  reports[k] = complete(report);
}

Report RecordSolver::complete(Report report) const {
  report.complete(intercept_);
  return report;
}

// Certificates for the drafts and for the penalties between them, and another look with the data
// at those that fall short.
void RecordSolver::settle(const PathRequest& request, std::vector<Draft>& drafts,
                          const Limits& limits, std::vector<Report>& reports) {
  if (drafts.empty()) return;
  certify_or_stop(drafts, limits);
  const auto finish = [&](const Draft& draft) {
    const Report report = draft.accepted() ? draft.report : redo(draft, limits);
    if (draft.accepted()) {
      committed_ = draft.x;
      intercept_ = draft.intercept;
    }
    write(request, draft.place, report, reports);
  };
  Draft between;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    finish(drafts[i]);
    for (std::size_t k = 1; k <= drafts[i].followers; ++k) {
      const std::size_t place = drafts[i].place + k;
      mix(drafts[i], drafts[i + 1], request.l1[place], between);
      between.place = place;
      finish(between);
    }
  }
  drafts.clear();
}

// The solution is a straight line in l1 until its support changes: from the last draft on, all
// penalties that the line reaches are solved by its end. Returns the place of the last of them.
std::size_t RecordSolver::follow_line(const PathRequest& request, std::vector<Draft>& drafts,
                                      const Limits& limits) {
  const std::size_t first = drafts.back().place;
  if (line_wait_ > 0) {
    --line_wait_;
    return first;
  }
  Watch watch(limits.without_deadline());
  std::size_t last = first;
  try {
    last = end_of_line(request, first, watch);
  } catch (const Stopped&) {  // the next solve notices as well
  }
  if (last == first) {
    // Wait for longer, the more often this happens.
    line_wait_ = std::size_t{1} << std::min<std::size_t>(line_failures_++, 6);
    return first;
  }
  line_failures_ = 0;
  Report report = drafts.back().report;
  drafts.back() = draft(report);  // the start of the line may have moved a little
  drafts.back().place = first;
  Quadratic pool = pool_.problem();
  line_.follow(pool, request.l1[first] - request.l1[last]);
  penalties_.l1 = request.l1[last];
  pool_.set_penalties(penalties_);
  accept_gram_point();
  report.iterations = report.epochs = report.newtons = 0;
  report.passes = 0.0;
  report.phases = {};
  report.seconds = watch.seconds();
  drafts.back().followers = last - first - 1;
  drafts.push_back(draft(report));
  drafts.back().place = last;
  return last;
}

// The last penalty on the line through the point of the pool.
std::size_t RecordSolver::end_of_line(const PathRequest& request, std::size_t first, Watch& watch) {
  const double l1 = request.l1[first];
  const std::size_t count = request.count;
  if (first + 1 >= count || request.l2[first] != 0.0) return first;
  Quadratic pool = pool_.problem();
  if (!line_.start(pool, l1, watch)) return first;
  std::size_t last = first;
  while (last + 1 < count && request.l1[last + 1] < request.l1[last] &&
         request.l2[last + 1] == 0.0 && l1 - request.l1[last + 1] < line_.reach())
    ++last;
  return last;
}

// The point between two drafts for a penalty between theirs. Its residual is the same mixture
// R = (1 - t) R_a + t R_b of theirs, and so are its correlations; with R_a - R_b = X (w_b - w_a),
//   |R|^2 = (1 - t) |R_a|^2 + t |R_b|^2 - t (1 - t) <w_b - w_a, X^T (R_a - R_b)>.
void RecordSolver::mix(const Draft& a, const Draft& b, double l1, Draft& out) {
  const double t = (a.penalties.l1 - l1) / (a.penalties.l1 - b.penalties.l1);
  const auto between = [t](double from, double to) { return from + t * (to - from); };
  out.penalties = a.penalties;
  out.penalties.l1 = l1;
  out.x.resize(a.x.size());
  out.u.resize(a.u.size());
  for (std::size_t k = 0; k < a.x.size(); ++k) out.x[k] = between(a.x[k], b.x[k]);
  double apart = 0.0;
  for (std::size_t k = 0; k < a.u.size(); ++k) {
    const std::size_t place = draft_place_[k];
    out.u[k] = between(a.u[k], b.u[k]);
    apart += (b.x[place] - a.x[place]) * (a.u[k] - b.u[k]);
  }
  out.residual2 =
      std::max(0.0, between(a.residual2, b.residual2) - t * (1.0 - t) * std::max(0.0, apart));
  out.intercept = between(a.intercept, b.intercept);
  out.report = b.report;
  out.report.passes = out.report.seconds = 0.0;
  out.report.phases = {};
  if (out.report.status != Status::kInterrupted) certify_draft(out);
}

}  // namespace banditcd::elastic_net
