// Where a solve starts: at the point before, at the solution of a sample, or in stages.
#include <algorithm>
#include <cmath>
#include <utility>

#include "logistic/solver.hpp"
#include "logistic/stages.hpp"

namespace banditcd::logistic {
namespace {

constexpr std::size_t kTall = 4;  // rows per column beyond which no stages are needed
constexpr double kStageTol = 1e-2;
constexpr double kSampleTol = 1e-3;
constexpr std::size_t kSampleBins = 50;

}  // namespace

void LogisticSolver::find_start(const Limits& limits, Report& report, Watch& watch) {
  const bool sampled = state_ != State::kMoved && start_from_sample(watch);
  report.iterations += sampled ? 1 : 0;
  if (sampled || state_ == State::kMoved)
    leave_bad_start(watch);
  else
    descend_in_stages(limits, report, watch);
}

// Makes these coefficients (of eligible columns) the point.
void LogisticSolver::move_to(const std::vector<double>& coef, double intercept, Watch& watch) {
  std::vector<double> values, predictor;
  for (const Index j : columns_.eligible()) values.push_back(coef[j]);
  work_.entries_read += design_.predict(columns_.eligible(), values, predictor, watch);
  point_.try_at(predictor, data_.intercept ? intercept : 0.0);
  point_.accept();
  point_.settle_intercept();
  point_.set_coef(coef);
  columns_.forget_residual();
  pool_.forget_point();
}

// Starts the next solve at these coefficients (columns that cannot be non-zero are left out).
void LogisticSolver::set_point(const double* coef, double intercept, const Limits& limits) {
  Watch watch(limits);
  set_penalties(0.0, 0.0);
  start(watch);
  if (point_.degenerate()) return;
  std::vector<double> wanted(design_->cols(), 0.0);
  for (const Index j : columns_.eligible()) wanted[j] = penalties_.at(j).clip(coef[j]);
  move_to(wanted, intercept + design_.shift(wanted), watch);
  state_ = State::kMoved;
}

// A start worse than the null model is no help, and where all margins are huge the loss shows no
// curvature to find a way back by.
void LogisticSolver::leave_bad_start(Watch& watch) {
  if (point_.primal(columns_.eligible(), penalties_) <= point_.null_loss()) return;
  const Unhurried back(watch);
  move_to(std::vector<double>(design_->cols(), 0.0), point_.null_intercept(), watch);
}

// With many more rows than columns a part of the rows already shows where the solution is.
bool LogisticSolver::start_from_sample(Watch& watch) {
  std::vector<Index> rows =
      sampled_rows(*design_, columns_.eligible().size(), Spread::kScattered, pool_bytes_);
  std::vector<double> y, weight;
  double positive = 0.0, total = 0.0;
  for (const Index i : rows) {
    y.push_back(labels_.y[i]);
    weight.push_back(labels_.weight ? labels_.weight[i] : 1.0);
    total += weight.back();
    positive += y.back() > 0.0 ? weight.back() : 0.0;
  }
  if (!(positive > 0.0 && positive < total)) return false;
  FitData data = data_;
  data.y = y.data();
  data.sample_weight = labels_.weight ? weight.data() : nullptr;
  LogisticSolver part(design_->sample(rows), data, pool_bytes_, nullptr, loss_);
  const double share = total / point_.total_weight();
  part.solve(share * penalties_.l1, share * penalties_.l2, watch.nested(kSampleTol, kSampleBins));
  watch.check();
  work_.entries_read += (part.work_.entries_read + 1.0) * share;
  std::vector<double> coef(design_->cols(), 0.0);
  for (const Index j : columns_.eligible()) coef[j] = part.coefficients()[j];
  move_to(coef, part.intercept(), watch);
  newton_.rows().set_sample(part.design_.release(), std::move(rows));
  return true;
}

void LogisticSolver::descend_in_stages(const Limits& limits, Report& report, Watch& watch) {
  if (kTall * columns_.eligible().size() < labels_.rows) return;
  const double l1 = penalties_.l1, l2 = penalties_.l2;
  const Stages stages(steepness());
  for (int stage = stages.count(); stage > 0; --stage) {
    const double factor = stages.factor(stage);
    set_penalties(factor * l1, factor * l2);
    Report rough;
    rough.iterations = report.iterations;
    solve_at(kStageTol * null_objective(), limits, rough, watch);
    watch.check();
    report.iterations = rough.iterations;
    report.pool_size = rough.pool_size;
    if (hopeless_) break;  // smaller penalties would only be harder
  }
  set_penalties(l1, l2);
}

// How many times its threshold the steepest column is at the null model.
double LogisticSolver::steepness() const {
  double out = 0.0;
  for (const Index j : columns_.eligible()) {
    const Penalty g = penalties_.at(j);
    const double u = columns_.correlation(j);
    if (g.l > 0.0 && g.excess(u) > 0.0) out = std::max(out, std::abs(u) / g.l);
  }
  return out;
}

}  // namespace banditcd::logistic
