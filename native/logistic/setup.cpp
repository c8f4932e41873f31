// The parts of a solve around the algorithm: the first pass, starts, and what ends it early.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/vector.hpp"
#include "logistic/solver.hpp"
#include "solve/strategy.hpp"

namespace banditcd::logistic {
namespace {

constexpr std::size_t kTall = 4;  // rows per column beyond which no stages are needed
constexpr double kStage = 10.0;   // between the penalties of two stages, at most
constexpr double kStageTol = 1e-2;
constexpr double kFar = 0.99;  // share of its mean square that is a column's mean: ten deviations
constexpr double kAboveAll = 1e200;  // a penalty that only the unpenalized columns survive
constexpr double kFreeTolerance = 1e-12;

}  // namespace

LogisticSolver::LogisticSolver(std::unique_ptr<Design> design, const FitData& data,
                               std::size_t pool_bytes, Norms norms)
    : design_(std::move(design)), data_(data), pool_bytes_(pool_bytes), norms_(std::move(norms)) {
  labels_ = {data_.y, data_.sample_weight, design_->rows()};
  coef_.assign(design_->cols(), 0.0);
}

void LogisticSolver::start(Watch& watch) {
  if (started_) return;
  const PhaseTimer timer(watch, phases_.pass);
  const std::size_t n = design_->rows(), d = design_->cols();
  point_.start(labels_, data_.intercept);
  model_.configure(
      static_cast<std::size_t>(std::sqrt(static_cast<double>(pool_bytes_) / sizeof(double))),
      data_.intercept, &phases_);
  pull2_ = null_pull2_ = dot(point_.pull().data(), point_.pull().data(), n);
  survey(watch);
  require_finite_squares();
  center_far_columns(watch);
  read(design_->entries());
  pass_entries_ = entries_read_;
  std::vector<double> weighted(norms_->square);
  if (labels_.weight && std::find(labels_.weight, labels_.weight + n, 0.0) != labels_.weight + n) {
    std::vector<Index> all(d);
    for (std::size_t j = 0; j < d; ++j) all[j] = static_cast<Index>(j);
    design_->weighted_squares(all.data(), d, labels_.weight, weighted.data(), watch);
  }
  eligible_.clear();
  for (std::size_t j = 0; j < d; ++j)
    if (norms_->square[j] > 0.0 && weighted[j] > 0.0 && !penalties_.excluded(j))
      eligible_.push_back(static_cast<Index>(j));
  const std::size_t ring = design_->entries() / (2 * std::max<std::size_t>(n, 1));
  snapshots_.resize(n, std::min(kSnapshots, std::max<std::size_t>(2, ring)), nullptr);
  current_ = snapshots_.remember(point_.pull().data(), pull2_);
  seen_.assign(d, current_);
  in_working_.assign(d, 0);
  length_.resize(d);
  for (std::size_t j = 0; j < d; ++j) length_[j] = std::sqrt(norms_->square[j]);
  started_ = true;
}

// One pass for <x_j, rho> and, unless another solver on the same X has them, squares and means.
void LogisticSolver::survey(Watch& watch) {
  const Unhurried first(watch);
  const std::size_t d = design_->cols();
  correlation_.resize(d);
  if (norms_) {
    std::vector<Index> all(d);
    for (std::size_t j = 0; j < d; ++j) all[j] = static_cast<Index>(j);
    design_->correlate(all.data(), d, point_.pull().data(), correlation_.data(), watch);
    return;
  }
  Rowspace space;
  space.rows = design_->rows();
  space.total_weight = static_cast<double>(space.rows);
  space.centered = data_.intercept;
  auto facts = std::make_shared<ColumnFacts>();
  facts->correlation.resize(d);
  facts->square.resize(d);
  facts->mean.resize(d);
  design_->survey(space, point_.pull().data(), *facts, watch);
  correlation_.swap(facts->correlation);
  norms_ = std::move(facts);
}

// A square that overflows would look like a column that cannot move, and certify a wrong point.
void LogisticSolver::require_finite_squares() const {
  for (const double square : norms_->square)
    if (!std::isfinite(square))
      throw std::overflow_error("The squares of X overflow float64; scale the data down.");
}

// An intercept takes up any shift of the columns, but not in float64: beside x ~ 1000 the dual
// constraint and the models lose six digits. Columns that far from zero are centered in a copy.
void LogisticSolver::center_far_columns(Watch& watch) {
  if (!data_.intercept) return;
  const std::size_t d = design_->cols();
  const double n = static_cast<double>(labels_.rows);
  bool far = false;
  for (std::size_t j = 0; j < d && !far; ++j) {
    const double mean = norms_->mean[j], square = norms_->square[j];
    far = square > 0.0 && n * mean * mean > kFar * (square + n * mean * mean);
  }
  if (!far) return;
  std::unique_ptr<Design> copy = design_->centered(norms_->mean.data());
  if (!copy) return;
  copy->set_threads(design_->threads());
  design_ = std::move(copy);
  centered_ = true;
  std::vector<Index> all(d);
  for (std::size_t j = 0; j < d; ++j) all[j] = static_cast<Index>(j);
  design_->correlate(all.data(), d, point_.pull().data(), correlation_.data(), watch);
}

// What the means of the columns add to the predictors.
double LogisticSolver::shift_of(const double* coef) const {
  double sum = 0.0;
  for (std::size_t j = 0; centered_ && j < coef_.size(); ++j) sum += norms_->mean[j] * coef[j];
  return sum;
}

void LogisticSolver::forget_point() {
  current_ = Snapshots::kNever;
  working_fresh_ = false;
}

// out = X w, from scratch: no rounding accumulates over the steps.
void LogisticSolver::predict(const std::vector<Index>& columns, const std::vector<double>& coef,
                             std::vector<double>& out, Watch& watch) {
  std::vector<Index> support;
  std::vector<double> values;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    if (coef[t] == 0.0) continue;
    support.push_back(columns[t]);
    values.push_back(coef[t]);
    read(design_->entries(columns[t]));
  }
  out.assign(labels_.rows, 0.0);
  design_->combine(support.data(), support.size(), values.data(), out.data(), watch);
}

// Makes these coefficients (of eligible columns) the point.
void LogisticSolver::move_to(const std::vector<double>& coef, double intercept, Watch& watch) {
  std::vector<double> values;
  for (const Index j : eligible_) values.push_back(coef[j]);
  predict(eligible_, values, predictor_, watch);
  point_.try_at(predictor_, data_.intercept ? intercept : 0.0);
  point_.accept();
  point_.settle_intercept();
  coef_ = coef;
  forget_point();
}

// Starts the next solve at these coefficients (columns that cannot be non-zero are left out).
void LogisticSolver::set_point(const double* coef, double intercept, const Limits& limits) {
  Watch watch(limits);
  penalties_ = {0.0, 0.0, data_.penalty_weight, data_.lower, data_.upper};
  start(watch);
  if (point_.degenerate()) return;
  std::vector<double> wanted(design_->cols(), 0.0);
  for (const Index j : eligible_) wanted[j] = penalties_.at(j).clip(coef[j]);
  move_to(wanted, intercept + shift_of(wanted.data()), watch);
  touched_ = true;
}

// A start worse than the null model is no help, and where all margins are huge the loss shows no
// curvature to find a way back by.
void LogisticSolver::leave_bad_start(Watch& watch) {
  if (primal() <= point_.null_loss()) return;
  move_to(std::vector<double>(design_->cols(), 0.0), point_.null_intercept(), watch);
}

// How many times its threshold the steepest column is at the null model.
double LogisticSolver::steepness() const {
  double out = 0.0;
  for (const Index j : eligible_) {
    const Penalty g = penalties_.at(j);
    if (g.l > 0.0 && g.excess(correlation_[j]) > 0.0)
      out = std::max(out, std::abs(correlation_[j]) / g.l);
  }
  return out;
}

// With many columns and a small penalty, the first few columns would be made to fit what belongs
// to others: rough solutions for larger penalties first.
void LogisticSolver::descend_to(double l1, double l2, const Limits& limits, Report& report,
                                Watch& watch) {
  if (kTall * eligible_.size() < labels_.rows) return;
  const double ratio = steepness();
  if (!(ratio > kStage)) return;  // also where no column is above its threshold
  const int stages = static_cast<int>(std::ceil(std::log(ratio) / std::log(kStage))) - 1;
  for (int stage = stages; stage > 0; --stage) {
    const double factor = std::pow(ratio, static_cast<double>(stage) / (stages + 1));
    penalties_.l1 = factor * l1;
    penalties_.l2 = factor * l2;
    Report rough;
    rough.iterations = report.iterations;
    solve_at(kStageTol * null_objective(), limits, rough, watch);
    report.iterations = rough.iterations;
    report.pool_size = rough.pool_size;
  }
  penalties_.l1 = l1;
  penalties_.l2 = l2;
}

// No finite minimizer: the returned constant makes every loss vanish in float64.
Report LogisticSolver::degenerate_report() const {
  Report report;
  report.status = Status::kConverged;
  report.certificate = {point_.totals().loss, point_.totals().loss, 0.0};
  report.complete(intercept());
  return report;
}

double LogisticSolver::primal() const {
  double sum = point_.totals().loss;
  for (const Index j : eligible_)
    if (coef_[j] != 0.0) sum += penalties_.at(j).value(coef_[j]);
  return sum;
}

// After an interruption: the dual value known so far bounds this point as well as any other.
void LogisticSolver::restore(Certificate& certificate) const {
  if (!started_) return;
  const double dual = std::isfinite(certificate.gap) ? certificate.primal - certificate.gap : 0.0;
  certificate.primal = primal();
  certificate.gap = certificate.primal - dual;  // zero is always a dual value
}

// Unpenalized columns are fitted first: what counts is the pull they leave.
double LogisticSolver::largest_penalty(const Limits& limits) {
  Watch watch(limits);
  penalties_ = {1.0, 0.0, data_.penalty_weight, data_.lower, data_.upper};
  start(watch);
  const double* weight = data_.penalty_weight;
  const bool free = weight && std::any_of(eligible_.begin(), eligible_.end(),
                                          [&](Index j) { return weight[j] == 0.0; });
  std::vector<double> correlation(eligible_.size());
  Point null;
  null.start(labels_, data_.intercept);
  const std::vector<double>* pull = &null.pull();
  if (free && !point_.degenerate()) {
    Limits exact = limits;
    exact.tol = kFreeTolerance;
    solve(kAboveAll, 0.0, exact);
    pull = &point_.pull();
  }
  design_->correlate(eligible_.data(), eligible_.size(), pull->data(), correlation.data(), watch);
  double largest = 0.0;
  for (std::size_t t = 0; t < eligible_.size(); ++t) {
    const Index j = eligible_[t];
    const double u = correlation[t], scale = weight ? weight[j] : 1.0;
    const bool open =
        u > 0.0 ? !(data_.upper && data_.upper[j] == 0.0) : !(data_.lower && data_.lower[j] == 0.0);
    if (open && scale > 0.0) largest = std::max(largest, std::abs(u) / scale);
  }
  return largest;
}

}  // namespace banditcd::logistic
