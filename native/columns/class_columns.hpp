// X by columns for several classes side by side (kernels/class_tiles.hpp), borrowed.
#pragma once
#include <cstddef>
#include <memory>

#include "columns/design.hpp"
#include "kernels/class_tiles.hpp"

namespace banditcd {

// The quadratic model of a softmax in terms of z, by row and class: the pull theta, the curvature
// s p, and the change dz of the predictor; beside it, by row, the mean sum_k p_k dz_k.
struct ClassCell {
  double pull, curvature, share, change;
};

// One coordinate (column j, class k) of a sweep over such a model.
struct ClassCoordinate {
  Index column;
  std::int32_t label;
  Penalty g;
  double h;  // curvature of the model along the coordinate
};

class ClassColumns {
 public:
  ClassColumns(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols) {}
  virtual ~ClassColumns() = default;
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  virtual std::size_t entries(std::size_t j) const = 0;
  virtual bool sparse() const = 0;

  // u_t = sum_i x_i,column[t] v_i, rows of width doubles.
  virtual void correlate(const Index* column, std::size_t count, const double* v, std::size_t width,
                         double* u, Watch& watch) const = 0;
  // z_i += sum_t x_i,column[t] w_t
  virtual void combine(const Index* column, std::size_t count, const double* w, std::size_t width,
                       double* z, Watch& watch) const = 0;
  // out_i = x_ij factor_i for the rows first .. first + count.
  virtual void pack(std::size_t j, std::size_t first, std::size_t count, const double* factor,
                    double* out) const = 0;
  // sum_i x_ij^2 factor[i * width]
  virtual double weighted_square(std::size_t j, const double* factor, std::size_t width) const = 0;
  // Minimizes the model over one coordinate at x; returns the change of x. cell: by row and class.
  virtual double descend(const ClassCoordinate& at, double x, std::size_t classes, ClassCell* cell,
                         double* mean) const = 0;

 private:
  std::size_t rows_, cols_;
};

std::unique_ptr<ClassColumns> make_class_columns(const DenseColumns<double>& x);
std::unique_ptr<ClassColumns> make_class_columns(const DenseColumns<float>& x);
std::unique_ptr<ClassColumns> make_class_columns(const CscColumns<double>& x);
std::unique_ptr<ClassColumns> make_class_columns(const CscColumns<float>& x);

}  // namespace banditcd
