// A quadratic problem on the blocks of a pool, in Gram space or on the residual.
//
//   min over x of 1/2 |R|^2 + sum_t [ l_t |x_t| + m_t/2 |x_t|^2 ],   R = r - X (x - start)
//
// with c = <X, R>, minus the gradient of the first part. Task k of column i is at k * size + i.
#pragma once
#include <cmath>
#include <vector>

#include "groups/pool.hpp"
#include "solve/certificate.hpp"

namespace banditcd::groups {

// Terms of a block certificate: a block counts by the component of its coefficients along its
// correlations, W.u / |u|, which has the same product with them; what its norm exceeds that
// component by is added to the gap, and to the primal value, as it is.
struct BlockTerms {
  std::vector<Index> block;
  std::vector<Term> term;
  double excess = 0.0;

  void clear();
  // Block t of a pool, from the coefficients w and the correlations u of its coordinates by task
  // and place.
  template <class W, class U>
  void add(const Pool& pool, std::size_t t, W&& w_of, U&& u_of) {
    double inner = 0.0, squared_w = 0.0, squared_u = 0.0;
    for (std::size_t k = 0; k < pool.tasks(); ++k)
      for (std::size_t i = pool.first(t); i < pool.first(t) + pool.width(t); ++i) {
        const double w = w_of(k, i), u = u_of(k, i);
        inner += w * u;
        squared_w += w * w;
        squared_u += u * u;
      }
    add(static_cast<Index>(pool.block(t)), inner, std::sqrt(squared_w), std::sqrt(squared_u),
        pool.penalty(t));
  }
  // inner = <W, u>. A block at zero that is far below its threshold has no term.
  void add(Index g, double inner, double coef_norm, double norm, const Penalty& penalty);
};

class Model {
 public:
  virtual ~Model() = default;
  // Correlations of block t, by task and column as its coefficients are.
  virtual void correlations(std::size_t t, double* out) = 0;
  // The block has moved by delta.
  virtual void move(std::size_t t, const double* delta) = 0;
  // All correlations, for a gap.
  virtual const std::vector<double>& all_correlations(Watch& watch) = 0;
  virtual double square() const = 0;  // |R|^2
  // What the move of one column costs, in nanoseconds.
  virtual double column_cost() const = 0;
  // Whether the Gram matrix of the pool is known.
  virtual bool in_gram_space() const = 0;
  // The product of a direction, by task and place, with the Gram matrix: at all places, or without
  // one at those that the direction moves.
  virtual const std::vector<double>& multiply(const std::vector<double>& direction,
                                              Watch& watch) = 0;
  // x += step * direction, the one that was multiplied last.
  virtual void advance(const std::vector<double>& direction, double step) = 0;

  const Pool& pool() const { return *pool_; }
  std::vector<double>& x() { return x_; }
  const std::vector<double>& x() const { return x_; }
  std::size_t place(std::size_t k, std::size_t i) const { return k * pool_->size() + i; }
  bool zero(std::size_t t) const;
  // Blocks without penalty must be orthogonal to the residual, measured as by the certificate of
  // all blocks; a gap does not see them while their coefficients are zero. square: |X_g|^2 by
  // group, null_square: |y|^2.
  void judge_free_blocks(const std::vector<double>& square, double null_square) {
    square_ = &square;
    null_square_ = null_square;
  }
  // Primal value and gap of the problem on the pool.
  Certificate certify(Watch& watch);

 protected:
  void start(const Pool& pool, const std::vector<double>& x) {
    pool_ = &pool;
    x_ = x;
  }

 private:
  bool free_blocks_are_orthogonal() const;

  const Pool* pool_ = nullptr;
  const std::vector<double>* square_ = nullptr;
  double null_square_ = 0.0;
  std::vector<double> x_;
  BlockTerms terms_;
};

// Correlations are kept up to date by the Gram matrix of the pool.
class GramModel final : public Model {
 public:
  void start(const Pool& pool, const std::vector<double>& x, const std::vector<double>& c,
             double square);
  void correlations(std::size_t t, double* out) override;
  void move(std::size_t t, const double* delta) override;
  const std::vector<double>& all_correlations(Watch&) override { return c_; }
  double square() const override;
  double column_cost() const override;
  bool in_gram_space() const override { return true; }
  const std::vector<double>& multiply(const std::vector<double>& direction, Watch& watch) override;
  void advance(const std::vector<double>& direction, double step) override;

 private:
  std::vector<double> c_, start_x_, start_c_, product_;
  double start_square_ = 0.0;
};

// The residual is kept up to date, and columns are read.
class ResidualModel final : public Model {
 public:
  // residual: by task, centered if the columns are meant to be; mean and total_weight say how a
  // centered column differs (null: it does not). constant: the column of ones, null: ones.
  struct Geometry {
    const double* mean = nullptr;
    const double* constant = nullptr;
    double total_weight = 0.0;
  };
  void start(const Pool& pool, const std::vector<double>& x, const Design& design,
             std::vector<Index> columns, std::vector<double> residual, const Geometry& geometry);
  void correlations(std::size_t t, double* out) override;
  void move(std::size_t t, const double* delta) override;
  const std::vector<double>& all_correlations(Watch& watch) override;
  double square() const override;
  double column_cost() const override;
  bool in_gram_space() const override { return false; }
  const std::vector<double>& multiply(const std::vector<double>& direction, Watch& watch) override;
  void advance(const std::vector<double>& direction, double step) override;
  // Entries of columns read since start(), those of all tasks together counted once.
  double entries_read() const { return entries_read_; }

 private:
  void center();
  void count(std::size_t columns) {
    entries_read_ += static_cast<double>(columns) * column_entries_;
  }
  void add_constant(double value, double* to) const;

  const Design* design_ = nullptr;
  std::vector<Index> columns_;  // of the design, by position in the pool
  std::vector<double> residual_, shift_, c_;
  // Of a direction: the places and columns that it moves, their predictors and the correlations.
  std::vector<std::size_t> places_;
  std::vector<Index> moving_;
  std::vector<double> moved_, product_;
  Geometry geometry_;
  double column_entries_ = 0.0, entries_read_ = 0.0;
  Watch unwatched_;
};

}  // namespace banditcd::groups
