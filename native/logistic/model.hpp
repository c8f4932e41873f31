// The quadratic model of the loss on a working set: H = X_S^T diag(h) X_S, minimized with the
// penalties in Gram space or, where that would be too large, in residual space.
//
// With an intercept the model is minimized over it as well: that is what centering the columns by
// their h-weighted means does.
#pragma once
#include <memory>
#include <vector>

#include "logistic/point.hpp"
#include "record/design.hpp"
#include "record/inner.hpp"
#include "record/residual.hpp"
#include "record/solver.hpp"

namespace banditcd::logistic {

using record::Index;

// The working set: columns with their penalties, coefficients and correlations <x_j, rho>.
struct Working {
  std::vector<Index> column;
  std::vector<record::Penalty> g;
  std::vector<double> w, c;
  std::size_t size() const { return column.size(); }
  std::size_t support() const;
};

// Some rows of X: with many rows per column they show the curvature well enough.
struct RowSample {
  std::unique_ptr<record::Design> design;
  std::vector<Index> row;  // where they are in X
};

// How well a model is to be minimized.
struct Accuracy {
  double gap = 0.0;
  bool passing = false;  // the next model will have other columns: stop when epochs bring little
};

class Model {
 public:
  // limit: columns whose matrix fits the memory cap.
  void configure(std::size_t limit, bool intercept, record::Phases* phases) {
    limit_ = limit;
    intercept_ = intercept;
    phases_ = phases;
  }
  // Curvatures come from these rows alone until it is called again; null: from all of them.
  void use_sample(const RowSample* sample) { sample_ = sample; }
  // Whether they may come from fewer rows, taken in proportion to their curvatures.
  void use_thinning(bool thin) { thin_ = thin; }
  // Whether the last model did that.
  bool thinned() const { return thinned_; }
  // Minimizes the model around the point. Returns the entries of X read.
  std::size_t solve(record::Design& design, const Point& point, const Working& set,
                    const Accuracy& wanted, record::Watch& watch);
  const std::vector<double>& minimizer() const { return x_; }
  // How the intercept follows when w moves from set.w to set.w + t (minimizer - set.w).
  double intercept_step(const Point& point, const Working& set) const;
  bool gram_free() const { return gram_free_; }
  // How well a model is worth minimizing, as a share of the gap: better where that is cheap.
  double share() const { return gram_free_ ? 0.3 : 1e-3; }
  std::size_t epochs() const { return inner_.epochs() + residual_.epochs(); }
  std::size_t newtons() const { return inner_.newtons(); }

 private:
  bool gram_pays(const record::Design& design, const Working& set, bool passing) const;
  bool copy_fits(const record::Design& design, const Working& set) const;
  std::size_t solve_gram(record::Design& design, const Point& point, const Working& set,
                         double target, record::Watch& watch);
  std::size_t solve_residual(record::Design& design, const Point& point, const Working& set,
                             const Accuracy& wanted, record::Watch& watch);
  std::size_t solve_scaled(record::Design& design, const Point& point, const Working& set,
                           const Accuracy& wanted, record::Watch& watch);
  void descend(record::ResidualProblem problem, const Accuracy& wanted, record::Watch& watch);
  record::Rowspace space(const record::Design& design, const Point& point);
  void thin(double wanted, record::Rowspace& rows);
  void weigh_columns(const record::Design& design, const record::Rowspace& rows, const Working& set,
                     record::Watch& watch);

  std::size_t limit_ = 0, stride_ = 0;
  bool intercept_ = false, gram_free_ = false, thin_ = false, thinned_ = false;
  const RowSample* sample_ = nullptr;
  record::Phases* phases_ = nullptr;  // where the time goes
  record::AlignedBuffer gram_;
  record::ColumnFacts facts_;  // h-weighted; only the working columns are current
  record::ScaledColumns scaled_;
  record::ColumnFacts scaled_facts_;  // by position in the working set
  std::vector<Index> position_;
  std::vector<double> weight_, root_, x_, c_, q_, buffer_, pull_;
  record::InnerSolver inner_;
  record::ResidualSolver residual_;
};

}  // namespace banditcd::logistic
