// Tall data: a start from a sample of the rows, and steps with its matrix.
#include <algorithm>

#include "kernels/prices.hpp"
#include "multinomial/solver.hpp"

namespace banditcd::multinomial {
namespace {

// Many rows, and no start given.
bool sampling_pays(const Problem& problem, const Point& point) {
  const std::size_t unknowns = problem.classes() * std::max<std::size_t>(problem.cols, 1);
  return problem.count() >= kSampleStep * kRowsPerUnknown * unknowns &&
         std::all_of(point.w.begin(), point.w.end(), [](double w) { return w == 0.0; });
}

}  // namespace

// Every kSampleStep-th row, with that many times its weight.
bool Multinomial::start_from_sample(const Limits& limits, Watch& watch) {
  if (forced_ >= 0 || !sampling_pays(problem_, point_) ||
      X_->bytes_of_part(kSampleStep) > static_cast<double>(pool_bytes_))
    return false;
  std::vector<std::int32_t> label;
  std::vector<double> weight;
  for (std::size_t i = 0; i < problem_.count(); i += kSampleStep) {
    label.push_back(problem_.rows.label[i]);
    weight.push_back(static_cast<double>(kSampleStep) * problem_.weight(i));
  }
  Problem part = problem_;
  part.rows.label = label.data();
  part.rows.weight = weight.data();
  part.rows.rows = label.size();
  const std::vector<double> sizes = part.class_weights();
  if (std::any_of(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(part.classes()),
                  [](double size) { return !(size > 0.0); }))
    return false;
  Multinomial small(X_->part(kSampleStep, watch), part, pool_bytes_);
  const std::size_t unknowns = problem_.classes() * problem_.cols;
  small.pace_.enough = 0.5 * kSampleShare * static_cast<double>(kSampleStep * unknowns);
  const Report report = small.solve(problem_.penalty.l1, problem_.penalty.l2,
                                    watch.nested(kSampleTolerance, limits.max_iter));
  spent_.passes += report.passes / static_cast<double>(kSampleStep);
  spent_.work += report.work;
  watch.check();  // what stopped the inner solve stops this one
  point_.w = small.point_.w;
  point_.b = small.point_.b;
  evaluate(watch);
  if (best_.poor_start(point_)) {
    point_.set_null();
    evaluate(watch);
  }
  return true;
}

// The pool of the last matrix stays where it has all that is wanted.
void Multinomial::choose_pool(Watch& watch) {
  Pool before;
  if (models_.sampled.known()) before = pool_;
  const Candidates among = {eligible_, u_, lengths_.plain()};
  pool_.choose(problem_, point_, among);
  if (pool_.nearly(eligible_.size() * problem_.classes()) && matrix_of_sample_pays())
    pool_.choose_all(problem_, point_, among);
  if (!models_.sampled.known() || pool_.size() == 0) return;
  if (!pool_.within(before)) return models_.sampled.drop();
  pool_ = std::move(before);
  refresh_pool(watch);
}

bool Multinomial::matrix_of_sample_pays() const {
  const auto bytes = static_cast<double>(pool_bytes_);
  return forced_ < 0 && models_.sampled.applies(problem_, *X_, pool_, bytes);
}

// Steps until what they promise is little beside the first one's, or the sample is no good.
bool Multinomial::improve_on_sample(Report& report, Watch& watch) {
  const bool whole = pool_.nearly(eligible_.size() * problem_.classes());
  double first = 0.0;
  for (int step = 0; step < kSampledTurns; ++step) {
    if (!matrix_of_sample_pays()) break;
    spent_.work += models_.sampled.solve(problem_, *X_, point_, pool_, step_, watch);
    spent_.work += kStepEntry * static_cast<double>(problem_.values());
    regime_ = "pool";
    const double before = point_.primal(), length = advance(Prediction::kRough, watch);
    models_.sampled.note(length, pace_.promise);
    if (length > 0.0) {
      look_ahead(report, watch);
      if (report.accepted()) return true;
      refresh_pool(watch);
    }
    first = std::max(first, pace_.promise);
    if (!whole && pace_.promise < kBinGain * first) break;
    if (pace_.enough > 0.0 && before - point_.primal() < pace_.enough) break;
  }
  return true;
}

}  // namespace banditcd::multinomial
