// Smaller problems first: a sample of the rows, and the Gram matrix of few rows.
#include <cmath>

#include "kernels/cholesky.hpp"
#include "kernels/memory.hpp"
#include "svm/cost_model.hpp"
#include "svm/solver.hpp"

namespace banditcd::svm {
namespace {

// One row in `share`, each drawn from its own stretch of the data, with its cost scaled up; both
// rows of a pair.
Problem sample(const Problem& problem, std::size_t share, Rng& rng) {
  Problem out;
  out.rows = problem.rows;
  out.loss = problem.loss;
  out.free_bias = problem.free_bias;
  out.null = problem.null;
  const std::size_t group = problem.paired() ? 2 : 1, groups = problem.size() / group;
  for (std::size_t first = 0; first + share <= groups; first += share) {
    const std::size_t begin = group * (first + rng.integer(share));
    for (std::size_t t = begin; t < begin + group; ++t) {
      out.ids.push_back(problem.ids[t]);
      out.cost.push_back(problem.cost[t] * static_cast<double>(share));
      out.square.push_back(problem.square[t]);
      if (problem.paired()) out.goal.push_back(problem.goal[t]);
    }
  }
  return out;
}

}  // namespace

std::vector<double> SvmSolver::sample_start(Watch& watch) const {
  std::vector<double> w(problem_.dim(), 0.0);
  Rng rng(20180507);
  for (std::size_t level = 0; level < std::size(kSampleShares); ++level) {
    const std::size_t share = kSampleShares[level];
    if (problem_.size() / share < kSampleRowsPerColumn * problem_.dim()) continue;
    const Problem part = sample(problem_, share, rng);
    Newton method(part);
    Budget budget;
    budget.target = kSampleGaps[level] * part.reference();
    budget.entries = std::numeric_limits<double>::infinity();
    method.start(w.data(), nullptr, 1.0, watch);
    method.run(budget, watch);
    w = method.weights();
  }
  return w;
}

// K = L L^T with the smallest ridge that makes K positive definite in float64.
bool SvmSolver::factor_gram(const Triangle& gram, Cholesky& factor, Watch& watch) const {
  const std::size_t n = rows_->stored();
  const double largest = *std::max_element(square_.begin(), square_.end());
  factor.resize(n);
  for (double ridge = 1e-15; ridge < 1e-8; ridge *= 10.0) {
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(gram.h + i * gram.stride, i + 1, factor.row(i));
      factor.row(i)[i] += ridge * largest;
    }
    if (factor.factor(0.0, watch)) return true;
  }
  return false;
}

// This solver, over fewer features, on the problem of another one whose rows have the same inner
// products; `from` is a pair of that one.
Outcome SvmSolver::solve_reduced(Budget& budget, const Pair& from, Pair& small, Watch& watch) {
  small.w.assign(problem_.dim(), 0.0);
  small.a.assign(problem_.size(), 0.0);
  if (from.warm) {
    small.a = from.a;
    small.warm = true;
    rows_->accumulate(problem_.ids.data(), small.a.data(), small.a.size(), small.w.data());
    if (problem_.free_bias) small.w.back() = from.w.back();
  }
  return choose(budget, small, watch);
}

// With K = L L^T the rows of L have the same inner products as the rows of X: the problem over them
// has n features instead of p, and w = X^T L^-T u for its weights u.
Outcome SvmSolver::in_gram_space(Budget& budget, Pair& pair, Watch& watch) {
  const std::size_t n = rows_->stored(), stride = padded(n);
  AlignedBuffer gram;
  gram.reserve(n * stride);
  rows_->gram({gram.data(), stride}, watch);
  Cholesky factor;
  if (!factor_gram({gram.data(), stride}, factor, watch)) return descend(budget, pair, watch);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(factor.row(i), i + 1, gram.data() + i * stride);
    std::fill(gram.data() + i * stride + i + 1, gram.data() + (i + 1) * stride, 0.0);
  }
  DenseColumns<double> columns;
  columns.data = gram.data();
  columns.rows = columns.cols = n;
  columns.stride = stride;
  SvmSolver inner(rows_->over(columns), options_);
  inner.problem_ = problem_;
  inner.problem_.rows = inner.rows_.get();
  Budget part = budget;
  part.entries = budget.entries / rows_->entries() * inner.rows_->entries();
  Pair small;
  const Outcome outcome = inner.solve_reduced(part, pair, small, watch);
  budget.bins = part.bins;
  lift(factor, small, pair);
  return outcome;
}

// The pair of the problem over X from that over L: w = X^T L^-T u.
void SvmSolver::lift(const Cholesky& factor, const Pair& small, Pair& pair) {
  const std::size_t n = rows_->stored();
  std::vector<double> u(small.w.begin(), small.w.begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<Index> ids(n);
  for (std::size_t i = n; i-- > 0;) {
    u[i] /= factor.row(i)[i];
    for (std::size_t j = 0; j < i; ++j) u[j] -= factor.row(i)[j] * u[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    ids[i] = rows_->first_of(i);
    u[i] *= rows_->labels()[ids[i]];
  }
  pair = {
      std::vector<double>(problem_.dim(), 0.0), small.a, true, false, Regime::kGram, small.bias};
  rows_->accumulate(ids.data(), u.data(), n, pair.w.data());
  if (rows_->constant() != 0.0) pair.w[rows_->features()] = small.w[n];
}

}  // namespace banditcd::svm
