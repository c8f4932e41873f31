#include "elastic_net/gram_space.hpp"

#include <algorithm>
#include <cmath>

#include "elastic_net/strategy.hpp"

namespace banditcd::elastic_net {
namespace {

constexpr double kGramShare = 0.3;       // of the target, that Gram space aims for
constexpr double kRoundingShare = 0.05;  // of the target, that rounding may take at most
// Of a product in single precision: two rounded factors and at most 192 sums in one chain (4 lanes
// of 768 rows), each off by 2^-24.
constexpr double kRoughRounding = 1.25e-5;

}  // namespace

bool GramSpace::solve(double aim, Report& report, Watch& watch) {
  for (std::size_t t = 0; t < kGramTries; ++t) {
    const bool rough = bins_.pool().rough();  // then the truth will correct it
    const GramRounding error = rounding(), likely = rough ? GramRounding{} : error.usual();
    const bool certified = !rough && certifies(error, report.target);
    const double end = reachable(likely, aim, report.target);
    // Where the data will be read for the certificate, only likely rounding makes a draft a waste.
    if (!certified && likely.total() > kRoundingShare * end) return false;
    report.certificate = certify(likely);
    bool solved = report.certificate.gap <= end;
    if (solved && certified) {
      report.certificate = certify(error);
      solved = report.certificate.gap <= report.target;
    }
    if (solved) {
      bins_.residual().commit_stale(bins_.data(), bins_.pool());
      return true;
    }
    bins_.solve_pool(kGramShare * end, watch);
    bins_.residual().set_stale();  // rounding may end this before the point is committed
    ++report.iterations;
  }
  return false;
}

GramRounding GramSpace::rounding() const {
  GramRounding out = rounding_of(bins_.data(), bins_.pool());
  if (!bins_.pool().rough()) return out;
  // Off by what the point and the last start differ in.
  out.gamma += kRoughRounding;
  out.bound += started_;
  return out;
}

void GramSpace::start(const Draft& draft, const std::vector<double>& correlation, Watch& watch) {
  Pool& pool = bins_.pool();
  pool.set_penalties(draft.penalties);
  pool.set_coefficients(draft.x);
  pool.rebase(correlation, draft.residual2, watch);
  double size = 0.0;
  for (std::size_t t = 0; t < pool.size(); ++t) size += std::abs(draft.x[t]) * pool.raw_norm(t);
  started_ = std::max(started_, size);
}

bool GramSpace::certifies(const GramRounding& error, double target) const {
  return bins_.data().design().gram_certifies() && error.total() <= kRoundingShare * target;
}

double GramSpace::reachable(const GramRounding& likely, double aim, double target) const {
  // Where the data certify they may be asked for more digits, and are before the path loses many.
  const bool alone = bins_.data().design().gram_certifies();
  const double most = alone ? target : std::min(target, std::sqrt(aim * target));
  return std::min(most, std::max(aim, likely.total() / kRoundingShare));
}

Certificate GramSpace::certify(const GramRounding& error) {
  const Quadratic pool = bins_.pool().problem();
  terms_.clear();
  for (std::size_t t = 0; t < pool.size; ++t) {
    const double slack = error.of_correlation(bins_.pool().raw_norm(t));
    const double u = pool.c[t] + (pool.c[t] > 0.0 ? slack : -slack);
    if (pool.x[t] != 0.0 || std::abs(u) >= kNearThreshold * pool.g[t].l)
      terms_.add(pool.x[t], u, pool.g[t]);
  }
  Certificate out = banditcd::certify(terms_, pool.residual2());
  out.gap += error.total();
  if (!bins_.pool().orthogonal_to_free_columns(bins_.data())) out.gap = kInfinity;
  return out;
}

Draft GramSpace::draft(const Report& report, double aim) const {
  Draft out;
  out.report = report;
  out.aim = aim;
  out.penalties = bins_.pool().penalties();
  const Quadratic pool = bins_.pool().problem();
  const GramRounding error = rounding();
  out.x.assign(pool.x, pool.x + pool.size);
  if (!bins_.pool().rough()) out.aim = reachable(error.usual(), aim, report.target);
  if (certifies(error, report.target)) {
    out.c.assign(pool.c, pool.c + pool.size);
    out.residual2 = pool.residual2();
    out.error = error;
  }
  for (std::size_t t = 0; t < pool.size; ++t) {
    const double slack = error.of_correlation(bins_.pool().raw_norm(t));
    if (pool.x[t] != 0.0 || std::abs(pool.c[t]) + slack >= kNearThreshold * pool.g[t].l)
      out.relevant.push_back(t);
  }
  return out;
}

}  // namespace banditcd::elastic_net
