// Paths in Gram space: the whole Gram matrix is known, so a penalty is solved without the data; the
// data is then read for the certificates, several penalties at a time.
#include <algorithm>
#include <cmath>

#include "elastic_net/solver.hpp"
#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr std::size_t kGramTries = 4;
constexpr double kGramShare = 0.3;       // of the target, that Gram space aims for
constexpr double kUsualRounding = 1e-2;  // of the bounds of rounding, whose errors cancel
constexpr double kEpsilon = 1.1102230246251565e-16;

}  // namespace

// What rounding may hide in Gram space. Each entry <x_i, x_j> is off by at most gamma |x_i| |x_j|,
// gamma = epsilon times the additions in one chain of the product kernel, so with
// B = |y| + sum_j |w_j| |x_j| every correlation is off by at most gamma |x_j| B, and |R|^2 and the
// sum over j of w_j u_j by at most gamma B^2. Norms are those before centering: that is what the
// rounding of a centered product is relative to.
RecordSolver::Rounding RecordSolver::rounding() {
  const Quadratic pool = pool_.problem();
  const double chain =
      static_cast<double>(design_->sparse() ? design_->rows() : design_->rows() / kGramRows + 64);
  Rounding out;
  out.gamma = 4.0 * kEpsilon * design_->gram_rounding() * (chain + static_cast<double>(pool.size));
  out.bound = std::sqrt(null_square_ + space_.total_weight * y_mean_ * y_mean_);
  for (std::size_t t = 0; t < pool.size; ++t)
    if (pool.x[t] != 0.0) out.bound += std::abs(pool.x[t]) * raw_norm(pool_.columns()[t]);
  return out;
}

double RecordSolver::raw_norm(Index j) const {
  return std::sqrt(facts_.square[j] + space_.total_weight * facts_.mean[j] * facts_.mean[j]);
}

// The gap from Gram space alone, plus what rounding may have hidden: an upper bound.
Certificate RecordSolver::gram_certificate(const Rounding& error) {
  const Quadratic pool = pool_.problem();
  terms_.clear();
  for (std::size_t t = 0; t < pool.size; ++t) {
    const double slack = error.gamma * raw_norm(pool_.columns()[t]) * error.bound;
    const double u = pool.c[t] + (pool.c[t] > 0.0 ? slack : -slack);
    if (pool.x[t] != 0.0 || std::abs(u) >= kNearThreshold * pool.g[t].l)
      terms_.add(pool.x[t], u, pool.g[t]);
  }
  Certificate out = banditcd::certify(terms_, pool.residual2());
  out.gap += error.total();
  if (!free_columns_orthogonal()) out.gap = kInfinity;
  return out;
}

// A path shares the look at the data among its penalties; with few columns even one penalty saves
// one of the two looks that the residual and then its correlations would take.
bool RecordSolver::drafts_pay(const Limits& limits) const {
  if (rough_) return false;
  return solves_expected_ > 1 || (pool_.size() <= kSmallColumns && limits.max_iter >= kGramTries);
}

// Solves to the target as far as Gram space can tell. False if rounding is not far below it.
bool RecordSolver::solve_in_gram_space(double target, Report& report, Watch& watch) {
  for (std::size_t t = 0; t < kGramTries; ++t) {
    Rounding error = rounding();
    // Where the data will be read for the certificate, only likely rounding makes a draft a waste.
    if (!design_->gram_certifies()) error.gamma *= kUsualRounding;
    if (error.total() > 0.05 * target) return false;
    report.certificate = gram_certificate(error);
    if (report.certificate.gap <= target) {
      accept_gram_point();
      return true;
    }
    solve_pool(kGramShare * target, watch);
    ++report.iterations;
  }
  return false;
}

void RecordSolver::accept_gram_point() {
  committed_.assign(pool_.x(), pool_.x() + pool_.size());
  intercept_ = y_mean_;
  for (std::size_t k = 0; k < pool_.size(); ++k)
    intercept_ -= pool_.x()[k] * facts_.mean[pool_.columns()[k]];
  residual_stale_ = true;
}

// The point in Gram space, and which columns its certificate needs: all others are proven to be
// below their thresholds by Gram space and its rounding.
RecordSolver::Draft RecordSolver::draft(const Report& report) {
  Draft out;
  out.report = report;
  out.penalties = penalties_;
  const Quadratic pool = pool_.problem();
  const Rounding error = rounding();
  out.x.assign(pool.x, pool.x + pool.size);
  for (std::size_t t = 0; t < pool.size; ++t) {
    const double slack = error.gamma * raw_norm(pool_.columns()[t]) * error.bound;
    if (pool.x[t] != 0.0 || std::abs(pool.c[t]) + slack >= kNearThreshold * pool.g[t].l)
      out.relevant.push_back(t);
  }
  return out;
}

// Certificates from true residuals and true correlations, for several points at once.
void RecordSolver::certify_drafts(std::vector<Draft>& drafts, Watch& watch) {
  const std::size_t size = drafts.size();
  choose_draft_columns(drafts);
  const std::vector<Index>& column = draft_column_;
  std::vector<double> coef(column.size() * size), shift(size, 0.0);
  for (std::size_t k = 0; k < column.size(); ++k)
    for (std::size_t b = 0; b < size; ++b) {
      coef[k * size + b] = drafts[b].x[draft_place_[k]];
      shift[b] += coef[k * size + b] * facts_.mean[column[k]];
    }
  BatchFacts facts;
  facts.sum.assign(size, 0.0);
  facts.square.assign(size, 0.0);
  facts.correlation.assign(coef.size(), 0.0);
  design_->measure(
      space_, {column.data(), column.size(), size, coef.data(), centered_y_.data(), shift.data()},
      facts, watch);
  double entries = 0.0;
  for (const Index j : column) entries += 2.0 * static_cast<double>(design_->entries(j));
  for (std::size_t b = 0; b < size; ++b) {
    take_facts(drafts[b], b, facts);
    certify_draft(drafts[b]);
    drafts[b].report.passes +=
        entries / static_cast<double>(size * std::max<std::size_t>(1, design_->entries()));
  }
}

// The columns that any of the drafts needs.
void RecordSolver::choose_draft_columns(const std::vector<Draft>& drafts) {
  std::vector<char> wanted(pool_.size(), 0);
  for (const Draft& draft : drafts)
    for (const std::size_t t : draft.relevant) wanted[t] = 1;
  draft_place_.clear();
  draft_column_.clear();
  for (std::size_t t = 0; t < pool_.size(); ++t) {
    if (!wanted[t]) continue;
    draft_place_.push_back(t);
    draft_column_.push_back(pool_.columns()[t]);
  }
}

// Without an intercept nothing is centered; with one the residual's own mean is taken out.
void RecordSolver::take_facts(Draft& draft, std::size_t b, const BatchFacts& facts) const {
  const std::size_t size = facts.sum.size();
  const double mean = space_.centered ? facts.sum[b] / space_.total_weight : 0.0;
  draft.residual2 = std::max(0.0, facts.square[b] - mean * facts.sum[b]);
  draft.intercept = y_mean_ + mean;
  draft.u.resize(draft_column_.size());
  for (std::size_t k = 0; k < draft_column_.size(); ++k) {
    const double column_mean = facts_.mean[draft_column_[k]];
    draft.u[k] = facts.correlation[k * size + b] - mean * space_.total_weight * column_mean;
    draft.intercept -= draft.x[draft_place_[k]] * column_mean;
  }
}

void RecordSolver::certify_draft(Draft& draft) {
  bool orthogonal = true;
  terms_.clear();
  for (std::size_t k = 0; k < draft_column_.size(); ++k) {
    const Index j = draft_column_[k];
    const double w = draft.x[draft_place_[k]], u = draft.u[k];
    const Penalty g = draft.penalties.at(j);
    if (w != 0.0 || std::abs(u) >= kNearThreshold * g.l) terms_.add(w, u, g);
    if (g.l == 0.0 && g.hard(u) &&
        std::abs(u) > kOrthogonal * std::sqrt(facts_.square[j] * null_square_))
      orthogonal = false;
  }
  draft.report.certificate = banditcd::certify(terms_, draft.residual2);
  if (!orthogonal) draft.report.certificate.gap = kInfinity;
}

std::size_t RecordSolver::batch_size() const {
  return !design_->sparse() && pool_.size() <= kSmallColumns ? kBatchOfFew : kBatch;
}

// One more look with the data, from where the draft ended.
Report RecordSolver::redo(const Draft& draft, const Limits& limits) {
  std::copy(draft.x.begin(), draft.x.end(), pool_.x());
  pool_.problem().recompute();
  residual_stale_ = true;
  Report report = run(draft.penalties.l1, draft.penalties.l2, limits, Space::kData);
  report.iterations += draft.report.iterations;
  report.passes += draft.report.passes;
  report.seconds += draft.report.seconds;
  return report;
}

// Certificates of all drafts, or the reason why there are none.
void RecordSolver::certify_or_stop(std::vector<Draft>& drafts, const Limits& limits) {
  Watch watch(limits.without_deadline());
  try {
    certify_drafts(drafts, watch);
  } catch (const Stopped&) {
    for (Draft& draft : drafts) {
      draft.report.status = Status::kInterrupted;
      draft.report.certificate.gap = kInfinity;
    }
  }
  for (Draft& draft : drafts) draft.report.seconds += watch.seconds() / drafts.size();
}

}  // namespace banditcd::elastic_net
