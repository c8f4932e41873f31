// Rows whose curvatures make the matrix X_S' diag(h) X_S of a model: all of them, or fewer.
//
// With many more rows than columns a sample of the rows shows the curvature well enough for a
// Newton step, whose gradient is always that of all rows. Where the sample no longer does, rows are
// taken in proportion to their curvatures (systematic sampling, Madow 1949): the sum of h, cut at a
// step, runs through the rows, and a row that brings it past the next multiple stands for a whole
// step. Where that does not converge quickly either, all rows are used.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "logistic/pool.hpp"

namespace banditcd::logistic {

// The geometry of h on all rows.
Rowspace curved_rows(const Point& point, bool centered);

class CurvatureRows {
 public:
  // X restricted to some rows, and where they are in X.
  void set_sample(std::unique_ptr<Design> design, std::vector<Index> rows) {
    sample_ = std::move(design);
    row_ = std::move(rows);
  }
  // At the start of a solve: fewer rows are tried, whatever was found before.
  void trust() { sample_helps_ = thinning_helps_ = true; }
  // After a step that did not converge as it should with the rows in use.
  void distrust() { (in_use_ == Rows::kSample ? sample_helps_ : thinning_helps_) = false; }
  // Chooses the rows of the next model, which has this many columns.
  void choose(std::size_t columns);
  // Whether the last model did not look at all rows.
  bool partial() const { return in_use_ == Rows::kSample || in_use_ == Rows::kThinned; }

  // The matrix that belongs to the rows in use.
  Design& design(Design& all) const { return in_use_ == Rows::kSample ? *sample_ : all; }
  // The geometry of h on its rows, thinned if that is allowed and pays for these columns. A sample
  // is scaled up to the total curvature of all rows, and so are the rows left by thinning.
  Rowspace space(const Design& design, const Point& point, const PoolColumns& pool, bool centered);

 private:
  enum class Rows { kAll, kSample, kThinnable, kThinned };
  void thin(double wanted, Rowspace& rows);

  std::unique_ptr<Design> sample_;
  std::vector<Index> row_;
  bool sample_helps_ = false;    // Newton steps with the sample's curvatures converge quickly
  bool thinning_helps_ = false;  // and those with the curvatures of thinned rows
  Rows in_use_ = Rows::kAll;
  std::vector<double> weight_;
};

}  // namespace banditcd::logistic
