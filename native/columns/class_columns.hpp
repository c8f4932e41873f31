// X by columns for several classes side by side (kernels/class_tiles.hpp), borrowed.
#pragma once
#include <cstddef>
#include <memory>

#include "columns/design.hpp"
#include "kernels/class_tiles.hpp"

namespace banditcd {

// One class of the quadratic model of a softmax, by row: the curvature h = s p (1 - p), the change
// of the predictor in this sweep, and the pull, which falls by h times that change.
struct ClassLane {
  const double* h = nullptr;
  double *change = nullptr, *pull = nullptr;
};

// One coordinate (column j, class k) of a sweep over such a model.
struct ClassCoordinate {
  Index column;
  Penalty g;
  double h;              // curvature of the model along the coordinate
  double damping, from;  // of a proximal term damping / 2 (x - from)^2
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
  // sum_i h_i x_ij^2
  virtual double curvature(std::size_t j, const double* h) const = 0;
  // Minimizes the model over one coordinate at x; returns the change of x.
  virtual double descend(const ClassCoordinate& at, double x, const ClassLane& lane) const = 0;
  // About the bytes of every step-th row, and a copy of these, from the first on.
  double bytes_of_part(std::size_t step) const {
    double all = 0.0;
    for (std::size_t j = 0; j < cols_; ++j) all += static_cast<double>(entries(j));
    return all * (sparse() ? sizeof(double) + sizeof(Index) : sizeof(double)) /
           static_cast<double>(step);
  }
  virtual std::unique_ptr<ClassColumns> part(std::size_t step, Watch& watch) const = 0;

 private:
  std::size_t rows_, cols_;
};

std::unique_ptr<ClassColumns> make_class_columns(const DenseColumns<double>& x);
std::unique_ptr<ClassColumns> make_class_columns(const DenseColumns<float>& x);
std::unique_ptr<ClassColumns> make_class_columns(const CscColumns<double>& x);
std::unique_ptr<ClassColumns> make_class_columns(const CscColumns<float>& x);

}  // namespace banditcd
