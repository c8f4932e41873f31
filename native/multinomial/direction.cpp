#include "multinomial/direction.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "multinomial/strategy.hpp"
#include "quadratic/conjugate_gradients.hpp"

namespace banditcd::multinomial {
namespace {

constexpr std::size_t kMostProducts = 400;  // a step that needs more is taken as it is

constexpr std::size_t kFewProducts = 6;  // with these a preconditioner is good enough to keep
constexpr double kShare = 0.25;          // of the decrease: what a last product may bring
constexpr double kLastShare = 0.05;      // the same of a step that may be the last
constexpr double kClose = 3.0;           // times the target: such a decrease may be the last,
constexpr double kCloseAfterCut = 0.5;   // and after a step whose model led too far
constexpr double kLeastShare = 1e-11;    // of the residual: rounding
constexpr double kFarShift = 1.0;        // of an intercept, in log-odds

// Coefficients of a column without penalty, and intercepts, may move by the same for all classes,
// and nothing changes. What rounding leaves of such a move in a gradient has no curvature, and
// conjugate gradients would follow it as far as they can. rows: those of W, then one of b.
void center_free(const Problem& problem, double* rows) {
  const std::size_t width = problem.width(), classes = problem.classes();
  for (std::size_t j = 0; j <= problem.cols; ++j) {
    if (j < problem.cols && !problem.free_column(j)) continue;
    double* row = rows + j * width;
    double mean = 0.0;
    for (std::size_t k = 0; k < classes; ++k) mean += row[k];
    mean /= static_cast<double>(classes);
    for (std::size_t k = 0; k < classes; ++k) row[k] -= mean;
  }
}

double length(const double* v, std::size_t size) { return std::sqrt(dot(v, v, size)); }

// When to leave conjugate gradients: as soon as the last product brought little of the decrease of
// the model (Nash and Sofer 1990), unless the step may be the last one. Then the residual r counts,
// too, which costs r^2 / (2 l2) in the gap of the dual point that the step predicts.
class Pace {
 public:
  // close: the decrease of a step that may be the last.
  Pace(double close, double residual) : close_(close), residual_(residual) {}
  bool enough(const Progress& at, double length) {
    if (at.products == 0) return false;
    if (first_ == 0.0) first_ = length;
    const double gain = at.decrease - decrease_;
    decrease_ = at.decrease;
    if (at.products >= kMostProducts || length <= kLeastShare * first_) return true;
    const bool last = at.decrease <= close_;
    if (last && length > residual_) return false;
    const double share = last ? kLastShare : kShare;
    return static_cast<double>(at.products) * gain <= share * at.decrease;
  }

 private:
  double close_, residual_, first_ = 0.0, decrease_ = 0.0;
};

}  // namespace

Direction::Direction(const Problem& problem)
    : problem_(problem),
      preconditioner_(problem),
      balance_(problem),
      step_((problem.cols + 1) * problem.width()),
      change_(problem.values()) {}

void Direction::find(const Point& point, const AlignedVector& gradient, const Wanted& wanted,
                     Passes& passes) {
  if (wanted.most == Preconditioning::kMemory) return remember(point, gradient, passes);
  const std::size_t size = step_.size();
  prepare(point, wanted, passes);
  AlignedVector residual = whole(point, gradient);
  for (double& value : residual) value = -value;
  const bool free = problem_.has_free_columns();
  if (free) center_free(problem_, residual.data());
  LinearSystem system;
  system.size = size;
  system.apply = [&](const double* v, double* out) { apply(point, v, out, passes); };
  system.precondition = [&](const double* r, double* out) {
    preconditioner_.apply(r, out);
    if (free) center_free(problem_, out);
    passes.spend(preconditioner_.application_cost());
  };
  std::fill(step_.begin(), step_.end(), 0.0);
  // After a step that was cut a system is solved to the end only where that takes few products.
  const double cut = wanted.most == Preconditioning::kCoupled ? kCloseAfterCut : 0.0;
  Pace pace((wanted.whole ? kClose : cut) * wanted.target,
            std::sqrt(0.5 * problem_.penalty.l2 * wanted.target));
  products_ = conjugate_gradients(system, residual.data(), step_.data(), [&](const Progress& at) {
    decrease_ = at.decrease;
    return pace.enough(at, length(at.residual, size));
  });
  if (problem_.intercept) balance(point, residual, passes);
  find_change(passes);
}

AlignedVector Direction::whole(const Point& point, const AlignedVector& gradient) const {
  const std::size_t width = problem_.width(), rows = problem_.cols * width;
  AlignedVector out(step_.size(), 0.0);
  for (std::size_t t = 0; t < rows; ++t) out[t] = problem_.excluded(t / width) ? 0.0 : gradient[t];
  if (!problem_.intercept) return out;
  std::vector<double> off;
  balance_.imbalance(point.p, off);
  std::copy(off.begin(), off.end(), out.begin() + static_cast<std::ptrdiff_t>(rows));
  return out;
}

void Direction::find_change(Passes& passes) {
  const std::size_t width = problem_.width();
  passes.times(step_.data(), width, change_.data());
  const double* shift = step_.data() + problem_.cols * width;
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t k = 0; k < width; ++k) change_[i * width + k] += shift[k];
}

// The step ends where the model is lowest along it: its curvature needs no pass. No system is
// solved, so that no dual point is predicted.
void Direction::remember(const Point& point, const AlignedVector& gradient, Passes& passes) {
  const std::size_t width = problem_.width(), rows = problem_.cols * width;
  const AlignedVector slope = whole(point, gradient);
  AlignedVector at(point.w);
  at.insert(at.end(), point.b.begin(), point.b.end());
  memory_.visit(std::move(at), slope);
  memory_.direction(slope, step_);
  passes.spend(kPairsEntry * static_cast<double>(step_.size()));
  find_change(passes);
  AlignedVector bent(change_.size());
  class_kernels().curve(problem_.rows, point.p.data(), change_.data(), bent.data());
  double curvature = dot(bent.data(), change_.data(), bent.size());
  for (std::size_t t = 0; t < rows; ++t)
    if (step_[t] != 0.0) curvature += problem_.strength(t / width) * step_[t] * step_[t];
  const double length = -dot(slope.data(), step_.data(), slope.size()) / curvature;
  decrease_ = kInfinity;
  if (!(length > 0.0 && length < kInfinity)) return;
  for (double& value : step_) value *= length;
  for (double& value : change_) value *= length;
}

// All rows have nearly the same probabilities in the beginning: shared products are exact there,
// and so are the moments of the columns.
void Direction::prepare(const Point& point, const Wanted& wanted, Passes& passes) {
  if (kept_ && products_ <= kFewProducts && !wanted.fresh) return;
  const bool first = !kept_ && !wanted.fresh && wanted.most != Preconditioning::kCoupled;
  if (first && wanted.most == Preconditioning::kDiagonal)
    preconditioner_.update_roughly(point, passes);
  else
    preconditioner_.update(point, first ? Preconditioning::kShared : wanted.most, passes);
  kept_ = true;
}

// What is left of the intercepts' equations is solved exactly: predicted probabilities then
// balance. Not where a class has hardly any curvature left, so that it would have to move far: the
// model is no good there, and the whole step would be cut to nothing.
void Direction::balance(const Point& point, const AlignedVector& left, Passes& passes) {
  const std::size_t width = problem_.width(), rows = problem_.cols * width;
  std::vector<double> rhs(left.begin() + static_cast<std::ptrdiff_t>(rows), left.end()), more;
  balance_.solve(point.p, rhs, more, passes.watch());
  const bool far = std::any_of(more.begin(), more.end(),
                               [](double value) { return std::fabs(value) > kFarShift; });
  for (std::size_t k = 0; k < width; ++k) step_[rows + k] += far ? 0.0 : more[k];
}

void Direction::apply(const Point& point, const double* v, double* out, Passes& passes) const {
  const std::size_t width = problem_.width(), rows = problem_.cols * width;
  const double* shift = v + rows;
  std::vector<double> sum(width, 0.0);
  const ClassKernels& kernels = class_kernels();
  passes.transform(
      v, width,
      [&](std::size_t first, std::size_t count, double* values) {
        ClassRows block = problem_.rows;
        block.rows = count;
        if (block.weight) block.weight += first;
        if (problem_.intercept)
          for (std::size_t t = 0; t < count * width; t += width)
            for (std::size_t k = 0; k < width; ++k) values[t + k] += shift[k];
        kernels.curve(block, point.p.data() + first * width, values, values);
        for (std::size_t t = 0; t < count * width; t += width)
          for (std::size_t k = 0; k < width; ++k) sum[k] += values[t + k];
      },
      out);
  for (std::size_t j = 0; j < problem_.cols; ++j) {
    const double strength = problem_.excluded(j) ? 0.0 : problem_.strength(j);
    const double keep = problem_.excluded(j) ? 0.0 : 1.0;
    for (std::size_t t = j * width; t < (j + 1) * width; ++t)
      out[t] = keep * out[t] + strength * v[t];
    for (std::size_t k = 0; problem_.free_column(j) && k < width; ++k)
      out[j * width + k] += preconditioner_.least_curvature(j, k) * v[j * width + k];
  }
  for (std::size_t k = 0; k < width; ++k) out[rows + k] = problem_.intercept ? sum[k] : 0.0;
}

}  // namespace banditcd::multinomial
