#include "elastic_net/bins.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "elastic_net/gram_rounding.hpp"
#include "elastic_net/strategy.hpp"
#include "solve/squares.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kNoViolator = 0.1;  // and below the gap when nothing outside the pool violates
constexpr int kPatience = 6;         // bins without any progress before the solve is given up
constexpr int kTired = 2;            // the same after a solve that was
// Of the gap that was asked for. Without a Gram matrix a digit below costs as many epochs as one
// above; coefficients at this gap have those of scikit-learn's default fits.
constexpr double kSure = 0.1;

// Of a gap wanted: what the gap of the pool has to be, which is all of it if all columns are in.
double inner_share(Regime regime) { return regime == Regime::kCrowd ? kCrowdInner : kInnerShare; }

}  // namespace

// Main loop: bins until the certificate holds.
Status Bins::solve_at(double target, double max_iter, Report& report, Watch& watch) {
  double best = kInfinity;
  double progress = kInfinity;  // what a bin that only refined a rough pool should have reached
  int patience = stalled_ ? kTired : kPatience;
  stalled_ = false;
  sure_ = kSure * report.target;
  // The target, or where the pool was left because digits below cost too much.
  const auto wanted = [&] { return minimizer_.costly() ? std::max(target, sure_) : target; };
  for (; static_cast<double>(report.iterations) < max_iter; ++report.iterations) {
    std::vector<Index> entering;
    bool verified = false;
    // 1. Lazy pass over the columns that are likely to violate: if enough do, they enter.
    if (std::isfinite(best)) entering = likely_columns(watch);
    if (entering.empty()) {
      // 2. Lazy pass over all columns, and the certificate of the point.
      lazy_pass(1.0, watch);
      report.certificate = certify();
      if (report.certificate.gap <= wanted()) {
        verify(watch);
        verified = true;
        report.certificate = certify();
        if (report.certificate.gap <= wanted()) return Status::kConverged;
      }
      // 3. Marginal decreases: the best violators enter.
      entering = best_columns();
    }
    // 4. Without any, the pool was solved and is still not good enough: its correlations have
    // drifted, its rough Gram matrix has too few digits, or there is nothing more to gain.
    const bool none = entering.empty();
    if (none && std::isfinite(best) && !verified) verify(watch);
    if (none && pool_.rough()) report.certificate = certify();
    const double gap = report.certificate.gap;
    if (none && !(gap < 0.5 * best) && --patience == 0) {
      stalled_ = true;
      return Status::kStalled;
    }
    best = std::min(best, gap);
    if (none && pool_.rough() && !(gap <= progress)) make_exact(watch);
    progress = none ? kRoughProgress * gap : kInfinity;
    // 5. The Gram matrix of the pool grows, and the pool problem is solved.
    grow_pool(entering, watch);
    solve_pool(inner_target(target, gap, none), watch);
    // 6. The residual from scratch.
    refresh_residual(watch);
  }
  // The last bin moved the point: what is said about it comes from the point itself, and from true
  // quantities alone.
  lazy_pass(1.0, watch);
  verify(watch);
  report.certificate = certify();
  return report.certificate.gap <= target ? Status::kConverged : Status::kMaxIter;
}

Bins::Bins(std::unique_ptr<Design> design, const FitData& fit, std::size_t pool_bytes,
           const Purpose& purpose)
    : data_(std::move(design), fit),
      pool_(data_.design().cols(), pool_bytes),
      plan_(data_, columns_, pool_, purpose) {
  set_penalties(1.0, 0.0);  // weights and bounds count from the beginning
}

void Bins::set_penalties(double l1, double l2) {
  const FitData& fit = data_.fit();
  pool_.set_penalties({l1, l2, fit.penalty_weight, fit.lower, fit.upper});
  data_.count_from_zero();
  minimizer_.count_from_zero();
  phases_ = {};
}

void Bins::survey(Watch& watch) {
  const ColumnFacts& facts = data_.facts();
  const Penalties& penalties = pool_.penalties();
  if (!surveyed_) {
    const Unhurried first(watch);
    const PhaseTimer timer(watch, phases_.pass);
    data_.survey(watch);
    residual_.start(data_);
    columns_.start(data_.design(), eligible_columns(facts.square, penalties), facts.square,
                   facts.correlation, data_.fit().sample_weight);
    // With all columns in the pool nobody asks what an earlier residual said about them.
    if (columns_.eligible().size() > std::min(kSmallColumns, pool_.limit()))
      columns_.remember(residual_.view());
    pool_.set_square(data_.null_square());
  }
  if (!surveyed_ || (penalties.l1 == 0.0 && penalties.l2 == 0.0))
    check_squares(data_.design(), facts.square, penalties);
  surveyed_ = true;
}

// All columns if their whole Gram matrix pays, or none of it, and those without any penalty always:
// the dual point has to be orthogonal to them.
void Bins::start_pool(Watch& watch) {
  plan_.consider_whole_gram();
  plan_.consider_crowd();
  if (plan_.leave_crowd()) {
    pool_.keep_columns_in_use();
    residual_.commit_again(pool_);
  }
  std::vector<Index> entering;
  for (const Index j : columns_.eligible())
    if (!pool_.contains(j) && (plan_.all_columns() || pool_.penalties().at(j).free()))
      entering.push_back(j);
  grow_pool(entering, watch);
  if (plan_.regime() != Regime::kCrowd || entering.empty() || residual_.stale()) return;
  correlate_pool(watch);  // what was known about the columns may be of an earlier residual
  pool_.set_correlations(buffer_);
}

std::size_t Bins::rough_bins(double target, Watch& watch) {
  std::size_t bins = 0;
  for (; bins < kContinueRepeat; ++bins) {
    lazy_pass(plan_.likely_share(), watch);
    const std::vector<Index> entering = best_columns();
    if (bins > 0 && !ranking_.enough(pool_.problem().support())) break;
    grow_pool(entering, watch);
    solve_pool(std::max(target, kInnerShare * certifier_.certify_pool(pool_, residual_).gap),
               watch);
    refresh_residual(watch);
  }
  return bins;
}

// With a smaller share of the intervals only the columns that are likely to matter are read, and
// nothing is proven about the others.
void Bins::lazy_pass(double share, Watch& watch) {
  const PhaseTimer timer(watch, phases_.pass);
  if (plan_.all_columns()) return columns_.evaluate_none();
  using Role = LazyColumns::Role;
  const auto role = [this](Index j) {
    return pool_.contains(j) ? Role::kElsewhere : Role::kOutside;
  };
  data_.read(
      columns_.pass(data_.design(), residual_.view(), pool_.penalties(), share, role, watch));
}

// The best violators among the columns that are likely to violate, if there are enough of them. The
// other columns are not read, so that this bin proves nothing: the certificate of an earlier one
// still holds, because the objective has only decreased.
std::vector<Index> Bins::likely_columns(Watch& watch) {
  if (plan_.all_columns() || plan_.likely_share() > kLikelyMost) return {};
  lazy_pass(plan_.likely_share(), watch);
  std::vector<Index> out = best_columns();
  if (!ranking_.enough(pool_.problem().support())) out.clear();
  return out;
}

std::vector<Index> Bins::best_columns() {
  ranking_.rank(columns_, data_.facts().square, pool_.penalties());
  return ranking_.best(plan_.columns_to_add(residual_.support()));
}

Certificate Bins::certify() { return certifier_.certify(data_, pool_, columns_, residual_); }

// The pool's correlations came from Gram space. Before anything is called converged they are
// recomputed from the true residual, and the pool problem continues from the true values.
void Bins::verify(Watch& watch) {
  const PhaseTimer timer(watch, phases_.pass);
  if (pool_.gram() == Pool::Gram::kNone) return;  // they are true ones already
  correlate_pool(watch);
  pool_.rebase(buffer_, residual_.square(), watch);
}

void Bins::correlate_pool(Watch& watch) {
  const std::vector<Index>& columns = pool_.columns();
  buffer_.resize(columns.size());
  data_.design().correlate(columns.data(), columns.size(), residual_.weighted().data(),
                           buffer_.data(), watch);
  data_.read(entries_of(data_.design(), columns));
}

void Bins::grow_pool(const std::vector<Index>& columns, Watch& watch) {
  if (columns.empty()) return;
  const PhaseTimer timer(watch, phases_.gram);
  std::vector<double> correlation(columns.size());
  for (std::size_t t = 0; t < columns.size(); ++t)
    correlation[t] = columns_.correlation(columns[t]);
  pool_.append(data_, columns, plan_.choose_gram(columns), correlation.data(), watch);
}

// How far the pool problem is to be solved: if nothing outside the pool violates, far enough for
// the gap to follow; a rough pool not further than its digits reach.
double Bins::inner_target(double target, double gap, bool no_violator) {
  const double least = inner_share(plan_.regime()) * target;
  double out = least;
  if (!plan_.all_columns())
    out = std::max(out, kInnerShare * certifier_.certify_pool(pool_, residual_).gap);
  if (!pool_.rough()) return no_violator ? std::min(out, std::max(least, kNoViolator * gap)) : out;
  if (no_violator) out = std::min(out, kNoViolator * kRoughProgress * gap);
  return std::max(out, kRoughShare * gap);
}

void Bins::solve_pool(double target, Watch& watch) {
  const auto solve = [&] {
    const PhaseTimer timer(watch, phases_.pool);
    return minimizer_.solve(data_, residual_, pool_, target, inner_share(plan_.regime()) * sure_,
                            watch);
  };
  if (solve()) return;
  make_exact(watch);
  solve();
}

// The rough Gram matrix is not good enough for these columns: the products again, in double.
void Bins::make_exact(Watch& watch) {
  const PhaseTimer timer(watch, phases_.gram);
  pool_.make_exact(data_, watch);
  plan_.refuse_rough();
}

void Bins::refresh_residual(Watch& watch) {
  const PhaseTimer timer(watch, phases_.residual);
  residual_.refresh(data_, pool_, watch);
  columns_.forget_residual();
  if (pool_.gram() != Pool::Gram::kNone) return;
  correlate_pool(watch);
  pool_.set_correlations(buffer_);
}

// The dual value known so far (zero always is one) bounds the committed point as well as any other.
// Nobody reads the data again to verify what the Gram matrix of the pool said: rounding is taken
// off, and a rough one is not believed at all.
void Bins::restore(Certificate& certificate) {
  if (!surveyed_) return;
  Watch unlimited;
  const bool known = std::isfinite(certificate.gap) && !pool_.rough();
  GramRounding error = rounding_of(data_, pool_);
  pool_.set_coefficients(residual_.coefficients());
  error.bound = std::max(error.bound, rounding_of(data_, pool_).bound);
  if (residual_.stale()) refresh_residual(unlimited);
  if (pool_.gram() == Pool::Gram::kExact) {
    pool_.problem().recompute(unlimited);
  } else {
    correlate_pool(unlimited);
    if (pool_.rough())
      pool_.rebase(buffer_, residual_.square(), unlimited);
    else
      pool_.set_correlations(buffer_);
  }
  double dual = known ? certificate.primal - certificate.gap : 0.0;
  if (pool_.gram() != Pool::Gram::kNone) dual = proven_dual(dual, pool_, error);
  certificate.primal = 0.5 * residual_.square();
  for (std::size_t t = 0; t < pool_.size(); ++t)
    certificate.primal += pool_.penalties().at(pool_.columns()[t]).value(pool_.x()[t]);
  certificate.gap = certificate.primal - dual;
}

// Where values of the diverged point cancel, nothing is left that could be known.
void Bins::retreat(Certificate& certificate) {
  Watch unlimited;
  certificate = {};
  pool_.set_coefficients({});
  refresh_residual(unlimited);
  restore(certificate);
}

void Bins::describe(Report& report) {
  report.regime = plan_.regime_name();
  report.passes = data_.passes();
  report.phases = phases_;
  report.pool_size = pool_.size();
  report.rough = pool_.rough();
  report.support = pool_.problem().support();
  report.epochs = minimizer_.epochs();
  report.newtons = minimizer_.newtons();
}

}  // namespace banditcd::elastic_net
