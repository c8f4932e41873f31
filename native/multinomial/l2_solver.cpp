#include "multinomial/l2_solver.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"
#include "multinomial/bracket.hpp"
#include "multinomial/standstill.hpp"

namespace banditcd::multinomial {

L2Multinomial::L2Multinomial(const RowMatrix& X, const Problem& problem)
    : X_(X),
      problem_(problem),
      point_(problem_),
      gradient_(problem.cols * problem.width()),
      direction_(problem_),
      predicted_(problem_),
      ray_(problem_),
      regimes_(problem_, X),
      best_(problem_) {
  point_.set_null();
}

void L2Multinomial::start_at(const double* coef, const double* intercept) {
  point_.set(coef, intercept);
}

// Main loop: Newton steps until a certificate holds.
Report L2Multinomial::solve(double l2, const Limits& limits) {
  Passes passes(X_, limits);
  Report report;
  report.target = limits.tol * best_.null_objective();
  // 1. The kinds of steps as arms, and the one with the least expected work.
  problem_.penalty.l2 = l2;
  best_.forget();
  best_slope_ = kInfinity;
  memoryless_ = regimes_.memoryless();
  rescued_ = false;
  Arms arms(report.target);
  const bool sampled = sampling_applies();
  const std::vector<Preconditioning> kinds =
      forced_ ? regimes_.enter_only(*forced_, arms) : regimes_.enter(arms, limits.tol, sampled);
  kind_ = kinds[arms.current()];
  try {
    // 2. The start: the solution of a sample of many rows, or the last point, or the null model.
    if (sampled) start_from_sample(limits, passes);
    begin(passes);
    Standstill standstill;
    double before = kInfinity, work = passes.work();
    for (;; ++report.iterations) {
      // 3. The gap of the point's own dual point and of the predicted one.
      certify(report, passes);
      if (report.accepted() && holds(report, passes)) break;
      if (enough_ > 0.0 && before - point_.primal() < enough_) break;
      before = point_.primal();
      // 4. Another arm is quicker; rounding stops the decrease; or the limit is reached.
      arms.note(passes.work() - work, telling_gap(report));
      work = passes.work();
      if (!sampled) regimes_.price_again(kinds, arms, limits.tol, best_.share(point_));
      if (!rescued_ && arms.overtaken() && arms.hand_over()) {
        change_to(kinds[arms.current()], passes);
        standstill = Standstill();
      }
      const bool slow = static_cast<double>(report.iterations) >= kMemoryShare * limits.max_iter &&
                        kind_ == Preconditioning::kMemory;
      if (slow || standstill.over(point_.primal(), own_gap())) {
        if (!strengthen(passes)) break;
        standstill = Standstill();
      }
      if (static_cast<double>(report.iterations) >= limits.max_iter) {
        report.status = Status::kMaxIter;
        break;
      }
      // 5. The direction, the dual point that it predicts, and the search along it.
      const double aim = std::min(report.target, kLoosestAim * best_.null_objective());
      direction_.find(point_, gradient_, {kind_, memoryless_, whole_, aim}, passes);
      if (direction_.decrease() <= kHopeful * aim) predicted_.predict(point_, direction_.change());
      if (!search(passes) && !recover(passes)) break;
    }
    if (report.accepted()) report.status = Status::kConverged;
    // 6. The best point, with its own dual point, however far that is from the target.
    if (!report.accepted() && enough_ == 0.0) settle(report, passes);
  } catch (const Stopped& stopped) {
    report.status = status_of(stopped);
  }
  best_.finish(point_, report);
  report.passes = passes.count();
  report.work = passes.work();
  report.regime = regime_name(kind_);
  report.seconds = passes.watch().seconds();
  report.pool_size = problem_.cols * problem_.classes();
  report.support = point_.support();
  return report;
}

// Newton steps after quasi-Newton ones; by blocks, if these cost no more than the passes so far, or
// little. From balanced intercepts: that of a class without curvature leads a model astray.
bool L2Multinomial::strengthen(Passes& passes) {
  const bool blocks = kind_ != Preconditioning::kBlocks && regimes_.blocks_fit() &&
                      regimes_.blocks_cost() <= std::max(passes.work(), kLastResort);
  if (!blocks && kind_ != Preconditioning::kMemory) return false;
  rescued_ = true;
  change_to(blocks ? Preconditioning::kBlocks : Preconditioning::kDiagonal, passes);
  return true;
}

void L2Multinomial::change_to(Preconditioning kind, Passes& passes) {
  kind_ = kind;
  direction_.forget();
  balance(passes);
}

// After a search that found no step. False: nothing is left to try at this point.
bool L2Multinomial::recover(Passes& passes) {
  if (strengthen(passes)) return true;
  if (stuck_) return false;
  balance(passes);
  return true;
}

void L2Multinomial::balance(Passes& passes) {
  stuck_ = true;
  if (point_.settle(passes.watch())) find_gradient(passes);
}

// Many rows, and no start given.
bool L2Multinomial::sampling_applies() const {
  const std::size_t unknowns = problem_.classes() * std::max<std::size_t>(problem_.cols, 1);
  return problem_.count() >= kSampleStep * kRowsPerUnknown * unknowns &&
         std::all_of(point_.w.begin(), point_.w.end(), [](double w) { return w == 0.0; });
}

// Every kSampleStep-th row, with that many times its weight.
void L2Multinomial::start_from_sample(const Limits& limits, Passes& passes) {
  const std::unique_ptr<RowMatrix> X = X_.part({0, X_.rows(), kSampleStep});
  std::vector<std::int32_t> label;
  std::vector<double> weight;
  for (std::size_t i = 0; i < problem_.count(); i += kSampleStep) {
    label.push_back(problem_.rows.label[i]);
    weight.push_back(static_cast<double>(kSampleStep) * problem_.weight(i));
  }
  Problem part = problem_;
  part.rows.label = label.data();
  part.rows.weight = weight.data();
  part.rows.rows = label.size();
  const std::vector<double> sizes = part.class_weights();
  if (std::any_of(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(part.classes()),
                  [](double size) { return !(size > 0.0); }))
    return;
  L2Multinomial small(*X, part);
  const std::size_t unknowns = problem_.classes() * problem_.cols;
  small.force(Preconditioning::kMemory);  // a rough solution is enough
  small.enough_ = 0.5 * kSampleShare * static_cast<double>(kSampleStep * unknowns);
  const Report report =
      small.solve(problem_.penalty.l2, passes.watch().nested(kSampleTolerance, limits.max_iter));
  passes.add(report.passes / static_cast<double>(kSampleStep));
  passes.spend(report.work);
  passes.watch().check();  // what stopped the inner solve stops this one
  point_.w = small.point_.w;
  point_.b = small.point_.b;
}

void L2Multinomial::begin(Passes& passes) {
  predicted_.forget();
  direction_.forget();
  whole_ = true;
  stuck_ = false;
  lengths_.measure(problem_, X_, passes.watch());
  evaluate(passes);
  if (best_.poor_start(point_)) {
    point_.set_null();
    evaluate(passes);
  }
}

void L2Multinomial::evaluate(Passes& passes) {
  passes.times(point_.w.data(), problem_.width(), point_.z.data());
  passes.spend(class_rows_cost(X_, problem_.width(), kClassPoint));
  point_.evaluate();
  if (memoryless_) point_.settle(passes.watch());
  find_gradient(passes);
}

void L2Multinomial::find_gradient(Passes& passes) {
  passes.transposed_times(point_.theta.data(), problem_.width(), gradient_.data());
  for (std::size_t j = 0; j < problem_.cols; ++j) {
    const bool out = problem_.excluded(j);
    const double strength = out ? 0.0 : problem_.strength(j);
    for (std::size_t t = j * problem_.width(); t < (j + 1) * problem_.width(); ++t)
      gradient_[t] = out ? 0.0 : strength * point_.w[t] - gradient_[t];
  }
}

bool L2Multinomial::search(Passes& passes) {
  const AlignedVector &step = direction_.step(), &change = direction_.change();
  double penalty = 0.0, cross = 0.0;
  for (std::size_t j = 0; j < problem_.cols; ++j) {
    if (problem_.excluded(j)) continue;
    for (std::size_t t = j * problem_.width(); t < (j + 1) * problem_.width(); ++t) {
      penalty += 0.5 * problem_.strength(j) * step[t] * step[t];
      cross += problem_.strength(j) * point_.w[t] * step[t];
    }
  }
  const double slope = cross + ray_.loss_slope(change, point_);
  ray_.start(point_);
  for (Bracket bracket(slope); bracket.length() >= kLeastStep;) {
    const double t = bracket.length();
    passes.spend(class_rows_cost(X_, problem_.width(), kClassPoint));
    const double loss = ray_.loss_at(t, change, point_, passes.watch());
    const double rise = loss - point_.loss + t * cross + t * t * penalty;
    const double here = cross + 2.0 * t * penalty + ray_.loss_slope(change, point_);
    if (!ray_.falls(rise, t, slope)) {
      bracket.halve(here);
    } else if (std::fabs(rise) > ray_.rounding() && !bracket.enough(here)) {
      bracket.narrow(here);
    } else {
      take(t, loss, passes);
      return true;
    }
  }
  ray_.back(point_);
  return false;
}

// Moves by t times the direction; z, p and the loss are those of the end already.
void L2Multinomial::take(double t, double loss, Passes& passes) {
  const AlignedVector& step = direction_.step();
  const std::size_t size = point_.w.size();
  axpy(t, step.data(), point_.w.data(), size);
  for (std::size_t k = 0; k < problem_.width(); ++k) point_.b[k] += t * step[size + k];
  whole_ = t == 1.0;
  stuck_ = false;
  if (!whole_) predicted_.forget();
  point_.center();
  point_.arrive(loss);
  if (memoryless_) point_.settle(passes.watch());
  find_gradient(passes);
}

}  // namespace banditcd::multinomial
