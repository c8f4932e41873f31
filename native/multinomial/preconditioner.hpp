// An approximate inverse of the Hessian for conjugate gradients: each class on its own.
//
// The diagonal block of class k is X^T D_k X + L, D_k = s p_k (1 - p_k), bordered by the intercept;
// columns are centered at their means (D_k-weighted ones but for kShared), so that the border may
// be left out. Of a block only the diagonal is inverted (kDiagonal: multinomial/diagonal.hpp), or
// its Gram matrix is taken to be proportional to X^T S X (kShared: exact where all rows have the
// same probabilities; one product for all classes and all steps), or computed for each class
// (kBlocks). A sample of many rows gives the whole Hessian (kCoupled: multinomial/coupled.hpp).
#pragma once
#include <vector>

#include "kernels/cholesky.hpp"
#include "multinomial/coupled.hpp"
#include "multinomial/diagonal.hpp"

namespace banditcd::multinomial {

// kMemory: no preconditioner, but directions of limited-memory BFGS.
enum class Preconditioning { kDiagonal, kShared, kBlocks, kCoupled, kMemory };
constexpr Preconditioning kPreconditionings[] = {
    Preconditioning::kDiagonal, Preconditioning::kShared, Preconditioning::kBlocks,
    Preconditioning::kCoupled, Preconditioning::kMemory};
constexpr const char* regime_name(Preconditioning kind) {
  constexpr const char* names[] = {"newton_diagonal", "newton_shared", "newton_blocks",
                                   "newton_coupled", "quasi_newton"};
  return names[static_cast<int>(kind)];
}

class Preconditioner {
 public:
  explicit Preconditioner(const Problem& problem)
      : problem_(problem), diagonal_(problem), coupled_(problem) {}
  // What the first update costs, and an application, in nanoseconds.
  static double cost(const Problem& problem, const RowMatrix& X, Preconditioning kind);
  static double application_cost(const Problem& problem, Preconditioning kind);
  // At this point; what X alone determines is kept.
  void update(const Point& point, Preconditioning kind, Passes& passes);
  // The diagonal as if all rows had the same probabilities.
  void update_roughly(const Point& point, Passes& passes);
  // out = M^-1 r; the rows of W, then one of b.
  void apply(const double* r, double* out) const;
  double application_cost() const { return application_cost(problem_, kind_); }
  // A curvature far below that of column j in class k, for columns without a penalty: dependent
  // ones have a direction without any, which conjugate gradients would follow wherever rounding
  // leads.
  double least_curvature(std::size_t j, std::size_t k) const;

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
  Diagonal diagonal_;
  Coupled coupled_;
  Preconditioning kind_ = Preconditioning::kDiagonal;
  std::vector<double> total_;   // sum_i D_ik, by class
  std::vector<double> weight_;  // of the rows
  ColumnMoments moments_;
  std::vector<double> center_;  // means of the columns, class by class
  AlignedBuffer gram_;          // X^T S X, centered, the lower triangle
  bool gram_known_ = false;
  std::vector<Cholesky> block_;
  std::vector<bool> factored_;
};

}  // namespace banditcd::multinomial
