// The first pass over X, and the largest penalty, which needs little more.
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/vector.hpp"
#include "logistic/solver.hpp"
#include "solve/squares.hpp"

namespace banditcd::logistic {
namespace {

// Columns whose matrix fits the memory cap.
std::size_t columns_in(std::size_t bytes) {
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(bytes) / sizeof(double)));
}

}  // namespace

LogisticSolver::LogisticSolver(std::unique_ptr<Design> design, const FitData& data,
                               std::size_t pool_bytes, Norms norms, LossKind loss)
    : design_(std::move(design)),
      data_(data),
      labels_{data.y, data.sample_weight, design_->rows()},
      pool_bytes_(pool_bytes),
      norms_(std::move(norms)),
      loss_(loss),
      point_(design_->cols(), loss),
      newton_(columns_in(pool_bytes), data.intercept) {}

void LogisticSolver::set_penalties(double l1, double l2) {
  penalties_ = {l1, l2, data_.penalty_weight, data_.lower, data_.upper};
}

void LogisticSolver::check_penalties() const {
  if (penalties_.l1 == 0.0 && penalties_.l2 == 0.0)
    check_squares(*design_, norms_->square, penalties_);
}

void LogisticSolver::start(Watch& watch) {
  if (state_ != State::kNew) return;
  const PhaseTimer timer(watch, work_.phases.pass);
  point_.start(labels_, data_.intercept);
  const std::vector<double>& pull = point_.pull();
  const double square = dot(pull.data(), pull.data(), pull.size());
  const std::vector<double> correlation = survey(watch);
  work_.entries_read += static_cast<double>(design_->entries());
  check_squares(*design_, norms_->square,
                {1.0, 0.0, data_.penalty_weight, data_.lower, data_.upper});
  columns_.start(*design_, find_eligible(watch), norms_->square, correlation, nullptr, pool_bytes_);
  columns_.remember({pull.data(), pull.data(), square});
  certifier_.start(norms_->square, square);
  pool_.resize(design_->cols());
  state_ = State::kSurveyed;
}

// One pass for <x_j, rho> and, unless another solver on the same X has them, squares and means.
std::vector<double> LogisticSolver::survey(Watch& watch) {
  const Unhurried first(watch);
  const std::vector<double>& pull = point_.pull();
  std::vector<double> correlation;
  if (!norms_) {
    const Rowspace space = Rowspace::unweighted(design_->rows(), data_.intercept);
    auto facts = std::make_shared<ColumnFacts>();
    facts->resize(design_->cols());
    design_->survey(space, pull.data(), *facts, watch);
    correlation.swap(facts->correlation);
    norms_ = std::move(facts);
  }
  const bool centered = data_.intercept && design_.center_far_columns(*norms_);
  if (correlation.empty() || centered) {
    const std::vector<Index> all = all_columns(design_->cols());
    correlation.resize(all.size());
    design_->correlate(all.data(), all.size(), pull.data(), correlation.data(), watch);
  }
  return correlation;
}

// Rows without weight do not make a column eligible.
std::vector<Index> LogisticSolver::find_eligible(Watch& watch) const {
  const double* weight = labels_.weight;
  if (!weight || std::find(weight, weight + labels_.rows, 0.0) == weight + labels_.rows)
    return eligible_columns(norms_->square, penalties_);
  const std::vector<Index> all = all_columns(design_->cols());
  std::vector<double> square(all.size()), counts(labels_.rows);  // weights may be tiny
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = weight[i] > 0.0 ? 1.0 : 0.0;
  design_->weighted_squares(all.data(), all.size(), counts.data(), square.data(), watch);
  for (std::size_t j = 0; j < square.size(); ++j)
    square[j] = std::min(square[j], norms_->square[j]);
  return eligible_columns(square, penalties_);
}

// Unpenalized columns are fitted first: what counts is the pull they leave.
double LogisticSolver::largest_penalty(const Limits& limits) {
  Watch watch(limits);
  set_penalties(1.0, 0.0);
  start(watch);
  const std::vector<Index>& eligible = columns_.eligible();
  const double* weight = data_.penalty_weight;
  const bool free = weight && std::any_of(eligible.begin(), eligible.end(),
                                          [&](Index j) { return weight[j] == 0.0; });
  Point null(0, loss_);
  null.start(labels_, data_.intercept);
  const std::vector<double>* pull = &null.pull();
  if (free && !point_.degenerate()) {
    Limits exact = limits;
    exact.tol = kFreeTolerance;
    solve(kAboveAll, 0.0, exact);
    pull = &point_.pull();
  }
  std::vector<double> values(eligible.size()), correlation(design_->cols());
  design_->correlate(eligible.data(), eligible.size(), pull->data(), values.data(), watch);
  for (std::size_t t = 0; t < eligible.size(); ++t) correlation[eligible[t]] = values[t];
  return largest_slope(eligible, correlation, penalties_);
}

}  // namespace banditcd::logistic
