// An approximate inverse of the Hessian for conjugate gradients: each class on its own.
//
// The diagonal block of class k is X^T D_k X + L, D_k = s p_k (1 - p_k), bordered by the intercept;
// with columns centered at their D_k-weighted means the border falls away. The block is factored
// (kBlocks), or its Gram matrix is taken to be proportional to X^T S X: one product for all classes
// and all steps, factored for each class (kShared), or only its diagonal is kept (kDiagonal).
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "multinomial/passes.hpp"
#include "multinomial/point.hpp"

namespace banditcd::multinomial {

enum class Preconditioning { kDiagonal, kShared, kBlocks };

class Preconditioner {
 public:
  explicit Preconditioner(const Problem& problem) : problem_(problem) {}
  // At this point; what X alone determines is kept.
  void update(const Point& point, Preconditioning kind, Passes& passes);
  // out = M^-1 r; the rows of W, then one of b.
  void apply(const double* r, double* out) const;

 private:
  void find_means(const Point& point, Passes& passes);
  void find_shared(Passes& passes);
  void fill_block(const Point& point, std::size_t k, Preconditioning kind, Passes& passes);
  void add_penalty(Cholesky& block) const;
  void apply_class(std::size_t k, const double* r, double* out, std::vector<double>& x) const;
  double mean(std::size_t j, std::size_t k) const { return mean_[j * problem_.width() + k]; }

  const Problem& problem_;
  std::vector<double> total_;  // sum_i D_ik, by class
  AlignedVector mean_;         // like W; zero without an intercept
  std::vector<double> square_;  // sum_i s_i x_ij^2, centered, by column
  double weight_ = 0.0;
  AlignedBuffer gram_;  // X^T S X, centered, the lower triangle
  bool gram_known_ = false;
  std::vector<Cholesky> block_;
  std::vector<bool> factored_;
};

}  // namespace banditcd::multinomial
