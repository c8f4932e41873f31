// Passes over X by rows for several classes side by side, in rows of width doubles
// (kernels/class_tiles.hpp): every entry that is read serves all classes.
#pragma once
#include <memory>

#include "rows/row_matrix.hpp"

namespace banditcd {

class ClassPasses {
 public:
  virtual ~ClassPasses() = default;
  // out_i = sum_j x_ij w_j
  virtual void times(const double* w, std::size_t width, double* out, Watch& watch) const = 0;
  // out_j = sum_i x_ij v_i
  virtual void transposed_times(const double* v, std::size_t width, double* out,
                                Watch& watch) const = 0;
  // out_j = sum_i x_ij^2 v_i
  virtual void transposed_squares(const double* v, std::size_t width, double* out,
                                  Watch& watch) const = 0;
  // out_j = sum_i x_ij c_i with c = map(X w), in one reading of X.
  virtual void transform(const double* w, std::size_t width, const BlockMap& map, double* out,
                         Watch& watch) const = 0;
};

// The arrays are borrowed.
std::unique_ptr<ClassPasses> make_class_passes(const DenseRows<double>& rows);
std::unique_ptr<ClassPasses> make_class_passes(const DenseRows<float>& rows);
std::unique_ptr<ClassPasses> make_class_passes(const CsrRows<double>& rows);
std::unique_ptr<ClassPasses> make_class_passes(const CsrRows<float>& rows);

}  // namespace banditcd
