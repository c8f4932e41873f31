#include "elastic_net/drafts.hpp"

#include <algorithm>
#include <cmath>

#include "solve/strategy.hpp"

namespace banditcd::elastic_net {

void DraftCertifier::certify(std::vector<Draft>& drafts, Watch& watch) {
  const double start = watch.seconds();
  choose_columns(drafts);
  if (std::all_of(drafts.begin(), drafts.end(), [](const Draft& d) { return d.in_gram(); })) {
    for (Draft& draft : drafts) {
      take_gram_facts(draft);
      // Gram space has certified the points that it found itself.
      if (!std::isfinite(draft.report.certificate.gap)) certify_one(draft);
    }
    return;
  }
  const BatchFacts facts = measure(drafts, watch);
  const Design& design = data_.design();
  const double entries = 2.0 * entries_of(design, column_);
  const std::size_t share = drafts.size() * std::max<std::size_t>(1, design.entries());
  for (std::size_t b = 0; b < drafts.size(); ++b) {
    take_facts(drafts[b], b, facts);
    drafts[b].error = {};
    certify_one(drafts[b]);
    drafts[b].report.passes += entries / static_cast<double>(share);
  }
  const double seconds = watch.seconds() - start;
  for (Draft& draft : drafts) draft.report.seconds += seconds / static_cast<double>(drafts.size());
}

// The columns that any of the drafts needs.
void DraftCertifier::choose_columns(const std::vector<Draft>& drafts) {
  std::vector<char> wanted(pool_.size(), 0);
  for (const Draft& draft : drafts)
    for (const std::size_t t : draft.relevant) wanted[t] = 1;
  place_.clear();
  column_.clear();
  for (std::size_t t = 0; t < pool_.size(); ++t) {
    if (!wanted[t]) continue;
    place_.push_back(t);
    column_.push_back(pool_.columns()[t]);
  }
}

BatchFacts DraftCertifier::measure(const std::vector<Draft>& drafts, Watch& watch) {
  const std::size_t size = drafts.size();
  std::vector<double> coef(column_.size() * size), shift(size, 0.0);
  for (std::size_t k = 0; k < column_.size(); ++k)
    for (std::size_t b = 0; b < size; ++b) {
      coef[k * size + b] = drafts[b].x[place_[k]];
      shift[b] += coef[k * size + b] * data_.facts().mean[column_[k]];
    }
  BatchFacts out;
  out.sum.assign(size, 0.0);
  out.square.assign(size, 0.0);
  out.correlation.assign(coef.size(), 0.0);
  data_.design().measure(
      data_.space(),
      {column_.data(), column_.size(), size, coef.data(), data_.y().data(), shift.data()}, out,
      watch);
  return out;
}

// Without an intercept nothing is centered; with one the residual's own mean is taken out.
void DraftCertifier::take_facts(Draft& draft, std::size_t b, const BatchFacts& facts) const {
  const Rowspace& space = data_.space();
  const std::size_t size = facts.sum.size();
  const double mean = space.centered ? facts.sum[b] / space.total_weight : 0.0;
  draft.residual2 = std::max(0.0, facts.square[b] - mean * facts.sum[b]);
  draft.intercept = data_.y_mean() + mean;
  draft.u.resize(column_.size());
  for (std::size_t k = 0; k < column_.size(); ++k) {
    const double column_mean = data_.facts().mean[column_[k]];
    draft.u[k] = facts.correlation[k * size + b] - mean * space.total_weight * column_mean;
    draft.intercept -= draft.x[place_[k]] * column_mean;
  }
}

std::vector<double> DraftCertifier::correlations(const Draft& draft, Pool& pool,
                                                 Watch& watch) const {
  pool.set_coefficients(draft.x);
  pool.problem().recompute(watch);
  std::vector<double> out(pool.c(), pool.c() + pool.size());
  for (std::size_t k = 0; k < place_.size(); ++k) out[place_[k]] = draft.u[k];
  return out;
}

void DraftCertifier::take_gram_facts(Draft& draft) const {
  draft.intercept = data_.y_mean();
  draft.u.resize(column_.size());
  for (std::size_t k = 0; k < column_.size(); ++k) {
    draft.u[k] = draft.c[place_[k]];
    draft.intercept -= draft.x[place_[k]] * data_.facts().mean[column_[k]];
  }
}

void DraftCertifier::certify_one(Draft& draft) {
  draft.report.certificate = certificate(draft, draft.error);
  draft.likely_gap = draft.report.certificate.gap;
  if (draft.in_gram() && draft.likely_gap > draft.aim)
    draft.likely_gap = certificate(draft, draft.error.usual()).gap;
}

// The gap, and what this much rounding may hide.
Certificate DraftCertifier::certificate(const Draft& draft, const GramRounding& error) {
  bool orthogonal = true;
  terms_.clear();
  for (std::size_t k = 0; k < column_.size(); ++k) {
    const Index j = column_[k];
    const double slack = error.of_correlation(pool_.raw_norm(place_[k]));
    const double w = draft.x[place_[k]], u = draft.u[k] + std::copysign(slack, draft.u[k]);
    const Penalty g = draft.penalties.at(j);
    if (w != 0.0 || std::abs(u) >= kNearThreshold * g.l) terms_.add(w, u, g);
    orthogonal = orthogonal &&
                 orthogonal_if_free(draft.u[k], g, data_.facts().square[j], data_.null_square());
  }
  Certificate out = banditcd::certify(terms_, draft.residual2);
  out.gap += error.total();
  if (!orthogonal) out.gap = kInfinity;
  return out;
}

void DraftCertifier::mix(const Draft& a, const Draft& b, double l1, Draft& out) {
  const double t = (a.penalties.l1 - l1) / (a.penalties.l1 - b.penalties.l1);
  const auto between = [t](double from, double to) { return from + t * (to - from); };
  out.penalties = a.penalties;
  out.penalties.l1 = l1;
  out.x.resize(a.x.size());
  out.u.resize(a.u.size());
  for (std::size_t k = 0; k < a.x.size(); ++k) out.x[k] = between(a.x[k], b.x[k]);
  double apart = 0.0;
  for (std::size_t k = 0; k < a.u.size(); ++k) {
    out.u[k] = between(a.u[k], b.u[k]);
    apart += (b.x[place_[k]] - a.x[place_[k]]) * (a.u[k] - b.u[k]);
  }
  out.residual2 =
      std::max(0.0, between(a.residual2, b.residual2) - t * (1.0 - t) * std::max(0.0, apart));
  out.intercept = between(a.intercept, b.intercept);
  out.error = a.error.bound > b.error.bound ? a.error : b.error;
  out.aim = std::max(a.aim, b.aim);
  out.report = b.report;
  out.report.passes = out.report.seconds = 0.0;
  out.report.phases = {};
  certify_one(out);
}

}  // namespace banditcd::elastic_net
