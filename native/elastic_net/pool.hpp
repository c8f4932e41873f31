// The pool: columns that entered, with their Gram matrix, coefficients, correlations and penalties.
#pragma once
#include <vector>

#include "elastic_net/training_data.hpp"
#include "quadratic/quadratic.hpp"

namespace banditcd::elastic_net {

class Pool {
 public:
  // The Gram matrix of the pool. A rough one, in single precision, models how correlations change;
  // what it says about values is never believed. Without one, correlations come from the residual.
  enum class Gram { kExact, kRough, kNone };

  // bytes: what the Gram matrix may take.
  Pool(std::size_t cols, std::size_t bytes);

  std::size_t size() const { return column_.size(); }
  std::size_t bytes() const { return bytes_; }
  // Columns the Gram matrix may hold within the memory cap.
  std::size_t limit() const { return limit_; }
  Gram gram() const { return form_; }
  bool rough() const { return form_ == Gram::kRough; }
  const std::vector<Index>& columns() const { return column_; }
  bool contains(Index j) const { return place_[j] >= 0; }
  double* x() { return x_.data(); }
  const double* x() const { return x_.data(); }
  const double* c() const { return c_.data(); }
  double raw_norm(std::size_t place) const { return raw_norm_[place]; }  // before centering
  const Penalties& penalties() const { return penalties_; }
  Quadratic problem();
  // Whether the correlations with columns that have no penalty are zero up to rounding.
  bool orthogonal_to_free_columns(const TrainingData& data) const;

  void set_square(double square) { square_ = square; }  // |y|^2
  void set_penalties(const Penalties& penalties);
  // Appends columns; correlation = their <x_j, R> at the current point. The old part of the Gram
  // matrix stays as it is, or is dropped for good.
  void append(TrainingData& data, const std::vector<Index>& columns, Gram form,
              const double* correlation, Watch& watch);
  // Of a pool without a Gram matrix, the columns that are not zero and those without penalty stay.
  void keep_columns_in_use();
  // Computes a rough Gram matrix again in double.
  void make_exact(TrainingData& data, Watch& watch);
  // Coefficients in the order of the pool; columns behind them are at zero. Correlations are left.
  void set_coefficients(const std::vector<double>& x);
  void set_correlations(const std::vector<double>& c);
  // Makes c and |R|^2 what a true residual says they are: G then only models the changes.
  void rebase(const std::vector<double>& correlation, double residual2, Watch& watch);

 private:
  void ensure_capacity(std::size_t size, Watch& watch);
  void compute_gram(TrainingData& data, const std::vector<Index>& columns, Gram form, Watch& watch);

  std::size_t bytes_, limit_, stride_ = 0;
  Gram form_ = Gram::kExact;
  AlignedBuffer gram_;
  std::vector<Index> column_;
  std::vector<std::int32_t> place_;
  std::vector<double> q_, x_, raw_norm_;
  AlignedVector c_;
  std::vector<Penalty> g_;
  Penalties penalties_;
  double square_ = 0.0;
};

}  // namespace banditcd::elastic_net
