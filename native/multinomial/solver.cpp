#include "multinomial/solver.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "multinomial/standstill.hpp"
#include "quadratic/idleness.hpp"

namespace banditcd::multinomial {
namespace {

constexpr double kProhibitive = 1e200;  // an L1 penalty that nothing withstands
constexpr double kTightTolerance = 1e-10;

double along(double from, double to, double t) { return t == 1.0 ? to : from + t * (to - from); }

}  // namespace

Multinomial::Multinomial(std::unique_ptr<ClassColumns> X, const Problem& problem,
                         std::size_t pool_bytes)
    : X_(std::move(X)),
      problem_(problem),
      pool_bytes_(pool_bytes),
      point_(problem_),
      u_(problem.cols * problem.width()),
      dual_(problem_, point_),
      predicted_(problem_),
      ray_(problem_),
      best_(problem_) {
  point_.set_null();
  for (std::size_t j = 0; j < problem_.cols; ++j)
    if (!problem_.excluded(j)) eligible_.push_back(static_cast<Index>(j));
}

// Main loop: bins, each a look at all columns and proximal Newton steps on a pool of them.
Report Multinomial::solve(double l1, double l2, const Limits& limits) {
  Watch watch(limits);
  Report report;
  const std::size_t epochs = models_.epochs(), newtons = models_.newtons();
  report.target = pace_.target = limits.tol * best_.null_objective();
  problem_.penalty.l1 = l1;
  problem_.penalty.l2 = l2;
  best_.forget();
  spent_ = {};
  regime_ = "null";
  pace_.damping = kLeastDamping;
  models_.rental.forget();
  models_.sampled.forget();
  try {
    begin(watch);
    Standstill standstill(fine_gap(limits.tol, best_.null_objective()));
    Idleness idleness(kIdleBins, kIdleShare);
    double last_work = 0.0;
    for (;; ++report.iterations) {
      // 1. The correlations of all columns, and the gap that they prove.
      point_.settle(watch);
      correlate(point_.theta, watch);
      certify(report);
      if (report.accepted()) break;
      // 2. Rounding stops the decrease, it is too slow to lead anywhere, or the limit is reached.
      const double primal = point_.primal();
      idleness.spend(bin_share(last_work));
      last_work = spent_.work;
      if (standstill.over(primal, best_.gap())) break;
      if (idleness.over({primal, best_.gap()}, point_.support())) break;
      if (static_cast<double>(report.iterations) >= limits.max_iter) {
        report.status = Status::kMaxIter;
        break;
      }
      // 3. The solution of a sample of many rows is a better start.
      if (report.iterations == 0 && start_from_sample(limits, watch))
        correlate(point_.theta, watch);
      // 4. The support and the coordinates that violate most; steps on those alone.
      choose_pool(watch);
      const bool moved =
          pool_.size() > 0 &&
          (matrix_of_sample_pays() ? improve_on_sample(report, watch) : improve(report, watch));
      if (report.accepted()) ++report.iterations;  // the look ahead
      if (!moved || report.accepted()) break;
      if (pace_.enough > 0.0 && primal - point_.primal() < pace_.enough) break;
    }
    if (report.accepted()) report.status = Status::kConverged;
  } catch (const Stopped& stopped) {
    report.status = status_of(stopped);
  }
  report.seconds = watch.seconds();
  report.epochs = models_.epochs() - epochs;
  report.newtons = models_.newtons() - newtons;
  finish(report);
  return report;
}

void Multinomial::begin(Watch& watch) {
  if (lengths_.plain().empty()) spent_.passes += 1.0 / static_cast<double>(problem_.classes());
  lengths_.measure(problem_, *X_, eligible_, watch);
  evaluate(watch);
  if (best_.poor_start(point_)) {
    point_.set_null();
    evaluate(watch);
  }
  point_.settle(watch);
}

void Multinomial::evaluate(Watch& watch) {
  const std::size_t width = problem_.width();
  std::vector<Index> column;
  AlignedVector w;
  for (const Index j : eligible_) {
    const auto row = point_.w.begin() + static_cast<std::ptrdiff_t>(j * width);
    if (std::all_of(row, row + static_cast<std::ptrdiff_t>(width),
                    [](double v) { return v == 0.0; }))
      continue;
    column.push_back(j);
    w.insert(w.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  std::fill(point_.z.begin(), point_.z.end(), 0.0);
  X_->combine(column.data(), column.size(), w.data(), width, point_.z.data(), watch);
  spent_.passes += static_cast<double>(column.size()) / static_cast<double>(problem_.cols);
  point_.evaluate();
}

void Multinomial::correlate(const AlignedVector& theta, Watch& watch) {
  const std::size_t width = problem_.width();
  AlignedVector out(eligible_.size() * width);
  X_->correlate(eligible_.data(), eligible_.size(), theta.data(), width, out.data(), watch);
  for (std::size_t t = 0; t < eligible_.size(); ++t)
    std::copy_n(out.data() + t * width, width, u_.data() + eligible_[t] * width);
  for (const Index j : eligible_)
    spent_.work += column_entry(X_->sparse()) * static_cast<double>(X_->entries(j));
  spent_.passes += 1.0;
}

// False if no step is possible.
bool Multinomial::improve(Report& report, Watch& watch) {
  const double start = pool_gap(), primal = point_.primal();
  double gap = start;
  int idle = 0;
  for (int step = 0; step < kStepsPerBin && idle < kIdleSteps; ++step) {
    const double wanted = std::max(kModelShare * gap, kModelLeast * report.target);
    const bool gram = in_gram_space();
    const double before = point_.primal(), work = spent_.work, from = gap;
    const bool moved = step_on_model(gram, wanted, watch);
    if (moved) look_ahead(report, watch);
    if (report.accepted()) return true;
    if (moved) refresh_pool(watch);
    if (moved) gap = pool_gap();
    models_.rental.note(gram, spent_.work - work, std::log(from / gap));
    if (!moved && !(pace_.damping < kMostDamping)) return step > 0;
    if (!moved) continue;
    const double gain = before - point_.primal();
    idle = std::max(gain, from - gap) > kIdleStep * from ? 0 : idle + 1;
    if (gap <= std::max(kBinShare * start, kPoolShare * report.target)) break;
    if (gain < kBinGain * (primal - point_.primal())) break;
  }
  return true;
}

void Multinomial::refresh_pool(Watch& watch) {
  pool_.refresh(*X_, problem_, point_, watch);
  spent_.passes += pool_.share(problem_);
}

// A model in Gram space is one around balanced intercepts.
bool Multinomial::step_on_model(bool gram, double wanted, Watch& watch) {
  if (gram) {
    if (point_.settle(watch)) refresh_pool(watch);
    pool_.prune();
  }
  const ModelProblem model = {problem_, *X_, point_, pool_, wanted, pace_.damping};
  if (gram) {
    const std::size_t size = pool_.size(), epochs = models_.gram.epochs(),
                      newtons = models_.gram.newtons();
    spent_.work += gram_price();
    models_.gram.solve(model, step_, watch);
    spent_.work += static_cast<double>((models_.gram.epochs() - epochs) * size) * gram_update(size);
    if (models_.gram.newtons() > newtons + 1)
      spent_.work += static_cast<double>(models_.gram.newtons() - newtons - 1) * factor_cost(size);
  } else {
    const double allowed = forced_ == 0 ? kInfinity : models_.rental.allowance(gram_price());
    spent_.work += models_.residual.solve(model, allowed, step_, watch);
  }
  spent_.work += kStepEntry * static_cast<double>(problem_.values());
  // The word for both kinds of steps is that of the matrix.
  regime_ = gram || models_.rental.had_matrix() ? "pool" : "residual";
  const double t = advance(gram ? Prediction::kExact : Prediction::kNone, watch);
  pace_.damping = t == 0.0   ? std::max(kFailedDamping, kMoreDamping * pace_.damping)
                  : t < kCut ? std::max(kFailedDamping, pace_.damping)
                  : t < 1.0  ? std::max(kCutDamping, pace_.damping)
                             : std::max(kLeastDamping, pace_.damping / kMoreDamping);
  return t > 0.0;
}

// What the last bin counts for as one without progress: epochs are cheap beside a matrix.
double Multinomial::bin_share(double work_before) const {
  if (forced_ == 0) return kLeastBin;
  return std::clamp((spent_.work - work_before) / gram_price(), kLeastBin, 1.0);
}

// A matrix and its factor, in nanoseconds; infinite if there is no room for it.
double Multinomial::gram_price() const {
  const std::size_t size = pool_.size() + problem_.classes();
  if (8.0 * static_cast<double>(size) * static_cast<double>(size) >
      static_cast<double>(pool_bytes_))
    return kInfinity;
  return GramModel::cost(problem_.count(), size) + factor_cost(size);
}

bool Multinomial::in_gram_space() const {
  if (forced_ >= 0) return forced_ == 1;
  return !(models_.rental.allowance(gram_price()) > 0.0);
}

// A step towards the model's minimizer, cut until the objective falls. Returns its length.
double Multinomial::advance(Prediction prediction, Watch& watch) {
  const std::size_t width = problem_.width();
  AlignedVector w(pool_.used.size() * width, 0.0);
  double slope = 0.0, before = 0.0;
  for (std::size_t c = 0; c < pool_.size(); ++c) {
    const double move = step_.x[c] - pool_.x[c];
    w[pool_.place[c] * width + static_cast<std::size_t>(pool_.label[c])] = move;
    before += pool_.g[c].value(pool_.x[c]);
    slope += pool_.g[c].value(step_.x[c]) - pool_.u[c] * move;
  }
  slope -= before;
  pace_.promise = -slope;
  ray_.start(point_);
  if (slope > ray_.rounding() || step_.x == pool_.x) return 0.0;
  change_.assign(problem_.values(), 0.0);
  X_->combine(pool_.used.data(), pool_.used.size(), w.data(), width, change_.data(), watch);
  spent_.passes += pool_.share(problem_);
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] += step_.shift[i % width];
  if (prediction != Prediction::kNone && pace_.promise <= kHopeful * pace_.target)
    predicted_.predict(point_, change_, prediction == Prediction::kRough, watch);
  for (double t = 1.0; t >= kLeastCut; t *= 0.5) {
    const double loss = ray_.loss_at(t, change_, point_, watch);
    double rise = loss - point_.loss - before;
    for (std::size_t c = 0; c < pool_.size(); ++c)
      rise += pool_.g[c].value(along(pool_.x[c], step_.x[c], t));
    if (!ray_.falls(rise, t, slope)) continue;
    for (std::size_t c = 0; c < pool_.size(); ++c)
      point_.w[static_cast<std::size_t>(pool_.column[c]) * width +
               static_cast<std::size_t>(pool_.label[c])] = along(pool_.x[c], step_.x[c], t);
    for (std::size_t k = 0; k < width; ++k) point_.b[k] += t * step_.shift[k];
    point_.arrive(loss);
    if (t < 1.0) predicted_.forget();
    return t;
  }
  ray_.back(point_);
  return 0.0;
}

// From the model of the free columns alone.
double Multinomial::largest_penalty(const Limits& limits) {
  const AlignedVector w = point_.w;
  const std::vector<double> b = point_.b;
  point_.set_null();
  solve(kProhibitive, 0.0, {kTightTolerance, limits.max_iter, kInfinity, limits.interrupt});
  Watch watch(limits);
  evaluate(watch);
  point_.settle(watch);
  correlate(point_.theta, watch);
  double largest = 0.0;
  const Penalties& given = problem_.penalty;
  for (const Index j : eligible_) {
    const double weight = given.weight ? given.weight[j] : 1.0;
    if (!(weight > 0.0)) continue;
    for (std::size_t k = 0; k < problem_.classes(); ++k) {
      const double u = u_[j * problem_.width() + k];
      if (given.opens(j, u)) largest = std::max(largest, std::fabs(u) / weight);
    }
  }
  point_.w = w;
  point_.b = b;
  return largest;
}

void Multinomial::finish(Report& report) {
  best_.finish(point_, report);
  point_.center_intercepts();
  report.regime = regime_;
  report.passes = spent_.passes;
  report.work = spent_.work;
  report.pool_size = pool_.size();
  report.support = point_.support();
}

}  // namespace banditcd::multinomial
