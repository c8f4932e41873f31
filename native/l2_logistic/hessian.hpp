// The Hessian of P at a point, Xc^T D Xc + lambda P with D = diag(s_i q_i (1 - q_i)).
//
// With an intercept Xc = X - mean, mean = X^T D 1 / 1^T D 1: its own entries then vanish, and the
// step of b follows from that of w.
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "l2_logistic/point.hpp"

namespace banditcd::l2_logistic {

// s_i q_i (1 - q_i) of every row; returns their sum.
double find_curvature(const Problem& problem, const std::vector<double>& q,
                      std::vector<double>& out);

class Hessian {
 public:
  explicit Hessian(const Problem& problem);
  void update(const Point& point, Passes& passes);
  const std::vector<double>& curvature() const { return curvature_; }
  double total_curvature() const { return total_; }
  const std::vector<double>& mean() const { return mean_; }

  // out = H v
  void apply(const double* v, double* out, Passes& passes) const;
  // 1 / H_jj; 0 where the coefficient stays.
  std::vector<double> inverse_diagonal(Passes& passes) const;
  // The lower triangle, in double or single precision; the diagonal grows by `jitter` times its
  // largest entry, and by 1 where it is zero.
  void fill(Cholesky& out, bool rough, double jitter, Passes& passes) const;

 private:
  const Problem& problem_;
  std::vector<double> curvature_, mean_;
  double total_ = 0.0;
};

}  // namespace banditcd::l2_logistic
