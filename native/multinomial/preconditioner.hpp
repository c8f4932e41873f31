// An approximate inverse of the Hessian for conjugate gradients: each class on its own.
//
// The diagonal block of class k is X^T D_k X + L, D_k = s p_k (1 - p_k), bordered by the intercept;
// columns are centered at their means (D_k-weighted ones in kBlocks), so that the border may be
// left out. The Gram matrix of a block is taken to be proportional to its diagonal (kDiagonal) or
// to X^T S X (kShared: exact where all rows have the same probabilities; one product for all
// classes and all steps), or it is computed for each class (kBlocks).
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
  void find_moments(Passes& passes);
  void find_gram(Passes& passes);
  void find_totals(const Point& point);
  void find_centers(const Point& point, Preconditioning kind, Passes& passes);
  void fill_block(const Point& point, std::size_t k, Preconditioning kind, Passes& passes);
  void add_penalty(Cholesky& block) const;
  void apply_class(std::size_t k, const double* r, double* out, std::vector<double>& x) const;
  const double* center(std::size_t k) const {
    return problem_.intercept ? center_.data() + k * problem_.cols : nullptr;
  }

  const Problem& problem_;
  std::vector<double> total_;   // sum_i D_ik, by class
  std::vector<double> weight_;  // of the rows; and of all of them
  double total_weight_ = 0.0;
  std::vector<double> mean_, square_;  // of the columns, weighted; sum_i s_i (x_ij - mean_j)^2
  std::vector<double> center_;         // means of the columns, class by class
  AlignedBuffer gram_;                 // X^T S X, centered, the lower triangle
  bool gram_known_ = false;
  std::vector<Cholesky> block_;
  std::vector<bool> factored_;
};

}  // namespace banditcd::multinomial
