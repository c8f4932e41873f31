// The quadratic model of the loss on a working set: H = X_S^T diag(h) X_S, minimized with the
// penalties in Gram space or, where that would be too large, in residual space.
//
// With an intercept the model is minimized over it as well: that is what centering the columns by
// their h-weighted means does.
#pragma once
#include <memory>
#include <vector>

#include "columns/design.hpp"
#include "elastic_net/solver.hpp"
#include "logistic/point.hpp"
#include "quadratic/inner.hpp"
#include "quadratic/residual.hpp"

namespace banditcd::logistic {

// The working set: columns with their penalties, coefficients and correlations <x_j, rho>.
struct Working {
  std::vector<Index> column;
  std::vector<Penalty> g;
  std::vector<double> w, c;
  std::size_t size() const { return column.size(); }
  std::size_t support() const;
};

// Some rows of X: with many rows per column they show the curvature well enough.
struct RowSample {
  std::unique_ptr<Design> design;
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
  void configure(std::size_t limit, bool intercept, Phases* phases) {
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
  std::size_t solve(Design& design, const Point& point, const Working& set, const Accuracy& wanted,
                    Watch& watch);
  const std::vector<double>& minimizer() const { return x_; }
  // How the intercept follows when w moves from set.w to set.w + t (minimizer - set.w).
  double intercept_step(const Point& point, const Working& set) const;
  bool gram_free() const { return gram_free_; }
  // How well a model is worth minimizing, as a share of the gap: better where that is cheap.
  double share() const { return gram_free_ ? 0.3 : 1e-3; }
  std::size_t epochs() const { return inner_.epochs() + residual_.epochs(); }
  std::size_t newtons() const { return inner_.newtons(); }

 private:
  bool gram_pays(const Design& design, const Working& set, bool passing) const;
  bool copy_fits(const Design& design, const Working& set) const;
  std::size_t solve_gram(Design& design, const Point& point, const Working& set, double target,
                         Watch& watch);
  std::size_t solve_residual(Design& design, const Point& point, const Working& set,
                             const Accuracy& wanted, Watch& watch);
  std::size_t solve_scaled(Design& design, const Point& point, const Working& set,
                           const Accuracy& wanted, Watch& watch);
  void descend(ResidualProblem problem, const Accuracy& wanted, Watch& watch);
  Rowspace space(const Design& design, const Point& point);
  void thin(double wanted, Rowspace& rows);
  void weigh_columns(const Design& design, const Rowspace& rows, const Working& set, Watch& watch);

  std::size_t limit_ = 0, stride_ = 0;
  bool intercept_ = false, gram_free_ = false, thin_ = false, thinned_ = false;
  const RowSample* sample_ = nullptr;
  Phases* phases_ = nullptr;  // where the time goes
  AlignedBuffer gram_;
  ColumnFacts facts_;  // h-weighted; only the working columns are current
  ScaledColumns scaled_;
  ColumnFacts scaled_facts_;  // by position in the working set
  std::vector<Index> position_;
  std::vector<double> weight_, root_, x_, c_, q_, buffer_, pull_;
  InnerSolver inner_;
  ResidualSolver residual_;
};

}  // namespace banditcd::logistic
