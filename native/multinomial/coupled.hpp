// The whole Hessian as a preconditioner, classes coupled, from a sample of the rows, if these are
// many, or from all.
//
// With what two classes share, D_kl = s p_k p_l, the block of two classes is -X^T D_kl X, and that
// of one class is the sum of X^T D_kl X over the others, plus L: one symmetric product for each
// pair of classes. From n rows for each of m unknowns every step of conjugate gradients leaves
// about m / n of the error, whatever the classes have in common. Columns are centered at their
// means, and intercepts are one more column.
#pragma once
#include <memory>

#include "kernels/cholesky.hpp"
#include "multinomial/diagonal.hpp"

namespace banditcd::multinomial {

class Coupled {
 public:
  explicit Coupled(const Problem& problem);
  // What an update costs, in nanoseconds.
  static double cost(const Problem& problem, const RowMatrix& X);
  // At this point; total: sum_i D_ik, by class. False: there is no factor.
  bool update(const Point& point, const ColumnMoments& of, const std::vector<double>& total,
              Passes& passes);
  // out = M^-1 r; the rows of W, then one of b.
  void apply(const double* r, double* out) const;

 private:
  std::size_t side() const { return problem_.cols + (problem_.intercept ? 1 : 0); }
  void add_pair(std::size_t k, std::size_t l, const Point& point, Passes& passes);
  void add_border(const std::vector<double>& shared, Passes& passes);
  void finish(const ColumnMoments& of, const std::vector<double>& total);

  const Problem& problem_;
  std::size_t step_;  // of the sample
  std::unique_ptr<RowMatrix> sample_;
  std::vector<double> mean_;  // of the columns
  AlignedBuffer pair_;        // X^T D_kl X, the lower triangle
  std::size_t stride_ = 0;
  Cholesky factor_;  // by class, then by column
};

}  // namespace banditcd::multinomial
