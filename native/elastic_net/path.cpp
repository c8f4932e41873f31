#include "elastic_net/path.hpp"

#include <algorithm>

namespace banditcd::elastic_net {
namespace {

constexpr std::size_t kLongestWait = 3;   // as a power of four
constexpr std::size_t kRefinements = 3;   // each multiplies errors by those of single precision
constexpr std::size_t kCheckPeriod = 64;  // penalties on a line between two looks at the watch

}  // namespace

void GramPath::start(double work_tol) {
  drafts_.clear();
  work_tol_ = work_tol;
  wait_ = failures_ = 0;
}

void GramPath::add(const Report& report, std::size_t place) {
  drafts_.push_back(space_.draft(report, work_tol_ * bins_.data().null_objective()));
  drafts_.back().place = place;
}

std::size_t GramPath::follow_line(const PathRequest& request, Watch& watch) {
  const std::size_t first = drafts_.back().place;
  if (wait_ > 0) {
    --wait_;
    return first;
  }
  const double start = watch.seconds();
  const std::size_t last = end_of_line(request, first, watch);
  if (last == first) {
    // Wait for longer, the more often this happens.
    wait_ = std::size_t{1} << 2 * std::min(failures_++, kLongestWait);
    return first;
  }
  failures_ -= std::min(failures_, last - first);
  Report report = drafts_.back().report;
  report.certificate = {};  // that of a point of Gram space, not of one on the line
  drafts_.pop_back();
  add(report, first);  // the start of the line may have moved a little
  drafts_.back().followers = last - first - 1;
  Quadratic pool = bins_.pool().problem();
  line_.follow(pool, request.l1[first] - request.l1[last], watch);
  Penalties penalties = bins_.pool().penalties();
  penalties.l1 = request.l1[last];
  bins_.pool().set_penalties(penalties);
  bins_.residual().commit_stale(bins_.data(), bins_.pool());
  report.iterations = report.epochs = report.newtons = 0;
  report.passes = 0.0;
  report.phases = {};
  report.seconds = watch.seconds() - start;
  add(report, last);
  return last;
}

// The last penalty on the line through the point of the pool; no penalty at all is not on it, since
// it asks more of the columns (solve/squares.hpp).
std::size_t GramPath::end_of_line(const PathRequest& request, std::size_t first, Watch& watch) {
  const double l1 = request.l1[first];
  const std::size_t count = request.count;
  if (first + 1 >= count || request.l2[first] != 0.0) return first;
  Quadratic pool = bins_.pool().problem();
  if (!line_.start(pool, l1, watch)) return first;
  std::size_t last = first;
  while (last + 1 < count && request.l1[last + 1] < request.l1[last] &&
         request.l1[last + 1] > 0.0 && request.l2[last + 1] == 0.0 &&
         l1 - request.l1[last + 1] < line_.reach())
    ++last;
  return last;
}

bool GramPath::accepted() const {
  return std::all_of(drafts_.begin(), drafts_.end(),
                     [](const Draft& draft) { return draft.accepted(); });
}

void GramPath::refine(Watch& watch) {
  for (Draft& draft : drafts_) {
    if (draft.accepted() || !bins_.pool().rough()) continue;
    space_.start(draft, certifier_.correlations(draft, bins_.pool(), watch), watch);
    Report report = draft.report;
    const std::size_t place = draft.place, followers = draft.followers;
    space_.solve(draft.aim, report, watch);
    draft = space_.draft(report, draft.aim);
    draft.place = place;
    draft.followers = followers;
  }
  bins_.pool().set_penalties(drafts_.back().penalties);
  bins_.pool().set_coefficients(drafts_.back().x);
  bins_.pool().problem().recompute(watch);
}

void GramPath::settle(const PathRequest& request, const std::function<void(const Draft&)>& finish,
                      Watch& watch) {
  if (drafts_.empty()) return;
  certifier_.certify(drafts_, watch);
  for (std::size_t k = 0; k < kRefinements && bins_.pool().rough() && !accepted(); ++k) {
    refine(watch);
    certifier_.certify(drafts_, watch);
  }
  Draft between;
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    finish(drafts_[i]);
    for (std::size_t k = 1; k <= drafts_[i].followers; ++k) {
      if (k % kCheckPeriod == 0) watch.check();
      between.place = drafts_[i].place + k;
      certifier_.mix(drafts_[i], drafts_[i + 1], request.l1[between.place], between);
      finish(between);
    }
  }
  drafts_.clear();
}

}  // namespace banditcd::elastic_net
