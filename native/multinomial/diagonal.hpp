// The diagonal of the Hessian of every class as a preconditioner, for columns too many for blocks.
//
// With D_k = s p_k (1 - p_k) and the D_k-weighted means m_jk of the columns, the entry of w_jk is
// sum_i D_ik (x_ij - m_jk)^2 + L_j, and that of the intercept of centered columns is sum_i D_ik:
// rows of large norm that are already told apart count as little as they do in the Hessian.
#pragma once
#include "multinomial/passes.hpp"
#include "multinomial/point.hpp"

namespace banditcd::multinomial {

// Weighted means of the columns, and sum_i s_i (x_ij - mean_j)^2; the weight of all rows.
struct ColumnMoments {
  std::vector<double> mean, square;
  double weight = 0.0;
};

class Diagonal {
 public:
  explicit Diagonal(const Problem& problem) : problem_(problem) {}
  // At this point, in two passes; total: sum_i D_ik, by class.
  void update(const Point& point, const std::vector<double>& total, Passes& passes);
  // As if all rows had the same probabilities; no pass.
  void update(const ColumnMoments& of, const std::vector<double>& total);
  // out = M^-1 r; the rows of W, then one of b.
  void apply(const double* r, double* out) const;

 private:
  void start(const std::vector<double>& total);
  void set(std::size_t j, std::size_t k, double center, double curvature);

  const Problem& problem_;
  std::vector<double> total_;
  AlignedVector center_, inverse_;  // like W; zeros where the coordinate stays
};

}  // namespace banditcd::multinomial
