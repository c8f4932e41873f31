#include "logistic/model.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prices.hpp"
#include "kernels/vector.hpp"
#include "solve/strategy.hpp"

namespace banditcd::logistic {
namespace {

constexpr double kEpochs = 10.0;  // epochs a model is worth that is minimized without its matrix
constexpr std::size_t kGramAlways = 64;
// With so many rows per column epochs on the residual are long, and matrices always pay up to here.
constexpr std::size_t kTall = 4, kGramAlwaysTall = 192;
// Dense columns: a model that is only passed through takes few epochs, and from here on the matrix
// costs more than they do, whatever the number of rows.
constexpr std::size_t kDenseFree = 128;
constexpr double kMostColumns = 0.85;  // and with so many of all columns, few more will come
// Rows that stand for all of them: a share of them, and so many per column. More are not thinned.
constexpr double kThinShare = 0.25, kThinRows = 64.0, kThinMost = 0.5;
constexpr int kGradientSteps = 10;       // a model is minimized roughly; more epochs cost less
constexpr double kLeastProgress = 0.03;  // of the decrease so far, in two epochs

double entries_of(const Design& design, const Working& set) {
  double out = 0.0;
  for (const Index j : set.column) out += static_cast<double>(design.entries(j));
  return out;
}

}  // namespace

std::size_t Working::support() const {
  return size() - static_cast<std::size_t>(std::count(w.begin(), w.end(), 0.0));
}

std::size_t Model::solve(Design& design, const Point& point, const Working& set,
                         const Accuracy& wanted, Watch& watch) {
  facts_.mean.resize(design.cols());
  facts_.square.resize(design.cols());
  x_ = set.w;
  thinned_ = false;
  gram_free_ = !gram_pays(design, set, wanted.passing);
  // A dense copy is in single precision: not for models that are meant to be the last ones.
  const bool copy = gram_free_ && (design.sparse() || wanted.passing) && copy_fits(design, set);
  if (copy) return solve_scaled(design, point, set, wanted, watch);
  if (gram_free_) return solve_residual(design, point, set, wanted, watch);
  return solve_gram(sample_ ? *sample_->design : design, point, set, wanted.gap, watch);
}

// The matrix and a factor of it, or many epochs that touch each column of X twice.
bool Model::gram_pays(const Design& design, const Working& set, bool passing) const {
  const std::size_t size = set.size();
  if (size > limit_) return false;
  const bool tall = kTall * design.cols() < design.rows();
  const bool most = static_cast<double>(size) > kMostColumns * static_cast<double>(design.cols());
  if (!design.sparse()) return tall || !passing || most || size < kDenseFree;
  if (size <= (tall ? kGramAlwaysTall : kGramAlways)) return true;
  const double entries = entries_of(design, set), k = static_cast<double>(size),
               p = static_cast<double>(set.support());
  const double gram = design.gram_entry_cost() * 0.5 * k * k + kProduct * p * p * p / 6.0;
  return gram < kEpochs * 2.0 * kSparseEntry * entries;
}

// A packed copy of the columns has the room that a matrix would have.
bool Model::copy_fits(const Design& design, const Working& set) const {
  const double entry = design.sparse() ? sizeof(double) + sizeof(std::int32_t) : sizeof(float);
  const double room = static_cast<double>(limit_) * static_cast<double>(limit_) * sizeof(double);
  return entry * entries_of(design, set) <= room;
}

// The geometry of h on the rows of the design, which are all rows or those of the sample. A sample
// is scaled up to the same total.
Rowspace Model::space(const Design& design, const Point& point) {
  const std::vector<double>& h = point.curvature();
  Rowspace out;
  out.rows = design.rows();
  out.weight = h.data();
  out.total_weight = point.totals().curvature;
  out.centered = intercept_;
  if (!sample_ || &design != sample_->design.get()) return out;
  weight_.resize(out.rows);
  double total = 0.0;
  for (std::size_t t = 0; t < out.rows; ++t) total += weight_[t] = h[sample_->row[t]];
  for (double& weight : weight_) weight *= out.total_weight / total;
  out.weight = weight_.data();
  return out;
}

// Every row that brings the sum of the curvatures (cut at a step) past the next step stands for a
// whole step: an unbiased sum in which certain rows have hardly a part. The total stays the same.
void Model::thin(double wanted, Rowspace& rows) {
  const double step = rows.total_weight / wanted;
  double carry = 0.5 * step, kept = 0.0;
  weight_.resize(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double h = rows.weight[i];
    carry += std::min(h, step);
    weight_[i] = 0.0;
    if (carry < step) continue;
    carry -= step;
    kept += weight_[i] = std::max(h, step);
  }
  for (double& weight : weight_) weight *= rows.total_weight / kept;
  rows.weight = weight_.data();
  rows.thinned = thinned_ = true;
}

// h-weighted means of the working columns.
void Model::weigh_columns(const Design& design, const Rowspace& rows, const Working& set,
                          Watch& watch) {
  buffer_.assign(set.size(), 0.0);
  if (intercept_)
    design.correlate(set.column.data(), set.size(), rows.weight, buffer_.data(), watch);
  for (std::size_t t = 0; t < set.size(); ++t)
    facts_.mean[set.column[t]] = buffer_[t] / rows.total_weight;
}

std::size_t Model::solve_gram(Design& design, const Point& point, const Working& set, double target,
                              Watch& watch) {
  const std::size_t size = set.size();
  stride_ = padded(size);
  gram_.reserve(stride_ * stride_);
  Rowspace rows = space(design, point);
  const double n = static_cast<double>(rows.rows),
               wanted = std::max(kThinShare * n, kThinRows * static_cast<double>(size));
  if (thin_ && wanted < kThinMost * n && design.thinning_pays(set.column.data(), size))
    thin(wanted, rows);
  weigh_columns(design, rows, set, watch);
  root_.resize(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i) root_[i] = std::sqrt(rows.weight[i]);
  rows.root_weight = root_.data();
  std::size_t read = 0;
  {
    const PhaseTimer timer(watch, phases_->gram);
    read = design.append_gram(rows, facts_.mean.data(),
                              {set.column.data(), 0, size, gram_.data(), stride_}, watch);
  }
  const PhaseTimer timer(watch, phases_->pool);
  c_ = set.c;
  for (std::size_t t = 0; t < size; ++t) c_[t] -= facts_.mean[set.column[t]] * point.totals().pull;
  q_ = c_;
  for (std::size_t t = 0; t < size; ++t)
    if (x_[t] != 0.0) axpy(x_[t], gram_.data() + t * stride_, q_.data(), size);
  Quadratic view;
  view.size = size;
  view.stride = stride_;
  view.gram = gram_.data();
  view.q = q_.data();
  view.g = set.g.data();
  view.x = x_.data();
  view.c = c_.data();
  view.square = point.model_square();
  for (std::size_t t = 0; t < size; ++t) view.square += x_[t] * (q_[t] + c_[t]);
  inner_.solve(view, target, rows.rows - (intercept_ ? 1 : 0), watch);
  return read;
}

std::size_t Model::solve_residual(Design& design, const Point& point, const Working& set,
                                  const Accuracy& wanted, Watch& watch) {
  const PhaseTimer timer(watch, phases_->pool);
  const Rowspace rows = space(design, point);
  weigh_columns(design, rows, set, watch);
  buffer_.resize(set.size());
  design.weighted_squares(set.column.data(), set.size(), rows.weight, buffer_.data(), watch);
  std::size_t read = 0;
  for (std::size_t t = 0; t < set.size(); ++t) {
    const Index j = set.column[t];
    const double mean = facts_.mean[j];
    facts_.square[j] = std::max(buffer_[t] - rows.total_weight * mean * mean, 0.0);
    read += design.entries(j);
  }
  pull_ = point.pull();
  if (intercept_)
    axpy(-point.totals().pull / rows.total_weight, rows.weight, pull_.data(), rows.rows);
  c_ = set.c;
  descend({&design, &rows, &facts_, set.size(), set.column.data(), set.g.data(), x_.data(),
           c_.data(), pull_.data()},
          wanted, watch);
  return read;
}

// The same on a copy of the columns in which row i is multiplied by the root of h_i: no weights are
// looked up in the sweeps.
std::size_t Model::solve_scaled(Design& design, const Point& point, const Working& set,
                                const Accuracy& wanted, Watch& watch) {
  const PhaseTimer timer(watch, phases_->pool);
  const std::size_t size = set.size(), n = design.rows();
  const std::vector<double>&h = point.curvature(), &rho = point.pull();
  const double total = point.totals().curvature;
  const double shift = intercept_ ? point.totals().pull / total : 0.0;
  root_.resize(n);
  pull_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    root_[i] = std::sqrt(h[i]);
    pull_[i] = h[i] > 0.0 ? rho[i] / root_[i] - shift * root_[i] : 0.0;
  }
  design.scale(set.column.data(), size, root_.data(), scaled_);
  scaled_facts_.mean.assign(size, 0.0);
  scaled_facts_.square.resize(size);
  position_.resize(size);
  for (std::size_t t = 0; t < size; ++t) {
    const double mean = intercept_ ? scaled_.along[t] / total : 0.0;
    facts_.mean[set.column[t]] = scaled_facts_.mean[t] = mean;
    scaled_facts_.square[t] = std::max(scaled_.square[t] - total * mean * mean, 0.0);
    position_[t] = static_cast<Index>(t);
  }
  Rowspace rows;
  rows.rows = n;
  rows.constant = root_.data();
  rows.total_weight = total;
  rows.centered = intercept_;
  const std::unique_ptr<Design> columns = make_design(scaled_, n);
  columns->set_threads(design.threads());
  c_ = set.c;
  descend({columns.get(), &rows, &scaled_facts_, size, position_.data(), set.g.data(), x_.data(),
           c_.data(), pull_.data()},
          wanted, watch);
  return scaled_.entries();
}

void Model::descend(ResidualProblem problem, const Accuracy& wanted, Watch& watch) {
  problem.gradient_steps = kGradientSteps;
  problem.least_progress = wanted.passing ? kLeastProgress : 0.0;
  residual_.solve(problem, wanted.gap, watch);
}

double Model::intercept_step(const Point& point, const Working& set) const {
  if (!intercept_) return 0.0;
  double step = point.totals().pull / point.totals().curvature;
  for (std::size_t t = 0; t < set.size(); ++t)
    step -= facts_.mean[set.column[t]] * (x_[t] - set.w[t]);
  return step;
}

}  // namespace banditcd::logistic
