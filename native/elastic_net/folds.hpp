// Cross-validation in Gram space: one Gram matrix for all folds.
//
// The Gram matrix of a fold's training rows is that of all rows minus that of its test rows, so all
// folds together cost one product. The test error of a model is a quadratic in it, too: after the
// blocks are built, no row of X is read again unless a tolerance asks for more than rounding
// allows. All products are centered at the means of all rows, so that little cancels.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "elastic_net/solver.hpp"

namespace banditcd::elastic_net {

// Sums over some rows, of columns and response centered at the means of all rows (if there is an
// intercept): weights, s x, s y, s x y, s y^2 and s x x'.
struct FoldSums {
  double weight = 0.0, y = 0.0, yy = 0.0;
  std::vector<double> x, xy;
  AlignedBuffer gram;  // cols x cols, symmetric, rows of padded length
};

class FoldSet {
 public:
  using Factory = std::function<std::unique_ptr<Design>()>;
  using Rows = std::vector<std::vector<Index>>;

  struct Shape {
    std::size_t rows, cols, entries;
    bool sparse;
  };
  // Whether the Gram matrices of all folds pay for that many penalties, and fit into memory.
  static bool pays(const Shape& shape, std::size_t folds, std::size_t penalties, std::size_t bytes);

  // Models side by side: cols() coefficients and an intercept for each.
  struct Models {
    const double* coef;
    const double* intercept;
    std::size_t count;
  };

  // tests: the test rows of each fold, increasing; every row belongs to exactly one fold.
  FoldSet(Factory factory, const FitData& data, Rows tests, std::size_t pool_bytes, Watch& watch);

  std::size_t count() const { return tests_.size(); }
  std::size_t cols() const { return cols_; }
  // A solver of the training rows of a fold; of all rows if fold == count().
  std::unique_ptr<ElasticNetSolver> solver(std::size_t fold, std::size_t penalties) const;
  // The mean squared error of models on the test rows of a fold; NaN where more than nine digits
  // cancel. Returns the number of those.
  std::size_t errors(std::size_t fold, const Models& models, double* out, Watch& watch) const;

 private:
  friend class FoldDesign;
  void center(const Design& design, Watch& watch);
  void sum_fold(const Design& design, std::size_t fold, Watch& watch);
  void center_products(FoldSums& sums, Watch& watch) const;
  double error(const FoldSums& sums, const double* coef, double intercept) const;
  std::size_t stride() const { return padded(cols_); }

  Factory factory_;
  FitData data_;
  Rows tests_;
  std::size_t pool_bytes_, rows_, cols_;
  double entries_read_ = 0.0;
  double y_mean_ = 0.0;
  std::vector<double> mean_;     // of every column over all rows; zero without an intercept
  std::vector<FoldSums> folds_;  // of the test rows
  FoldSums all_;
  std::vector<std::vector<double>> weight_;  // row weights of the training rows, zero elsewhere
};

}  // namespace banditcd::elastic_net
