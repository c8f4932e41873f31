// The rows z_i = y_i (x_i, c) of a problem: stored rows with labels, or pairs of them.
//
// In regression the error of sample k beyond epsilon is
//
//   (|y_k - x_k . w| - epsilon)+ = (y_k - epsilon - x_k . w)+ + (-y_k - epsilon + x_k . w)+,
//
// so a sample is two rows, 2 k with label +1 and goal y_k - epsilon and 2 k + 1 with label -1 and
// goal -y_k - epsilon (Smola and Schoelkopf, 2004). Both are made of one stored row, which is read
// once where both are asked for.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "svm/shared_rows.hpp"

namespace banditcd::svm {

// The responses y of a regression (borrowed), and how far from them nothing is lost.
struct Responses {
  const double* y = nullptr;
  double epsilon = 0.0;
};

// The two rows of every stored row, and requests by row as requests by stored row: each once if its
// two rows are neighbors, with the sum of what both get.
struct Pairs {
  explicit Pairs(const Responses& of_rows) : responses(of_rows) {}
  static double label(Index row) { return row % 2 == 0 ? 1.0 : -1.0; }
  double goal(Index row) const { return label(row) * responses.y[row / 2] - responses.epsilon; }
  // Amounts are multiplied by the labels, or not; null means none.
  void gather(const Index* which, std::size_t count, const double* amount, bool labeled);
  // The values of rows from those of the gathered stored rows.
  void spread(const Index* which, std::size_t count, double* out) const;

  Responses responses;
  Changes stored;              // gathered
  std::vector<double> values;  // place for one value per gathered row
};

class Rows {
 public:
  explicit Rows(std::unique_ptr<StoredRows> stored, std::unique_ptr<Pairs> pairs = nullptr);

  StoredRows& stored() { return *stored_; }
  const StoredRows& stored() const { return *stored_; }
  std::size_t count() const { return pairs_ ? 2 * stored_->count() : stored_->count(); }
  std::size_t dim() const { return stored_->dim(); }
  double constant() const { return stored_->constant(); }
  double label(Index i) const {
    return pairs_ ? Pairs::label(i) : stored_->labels[static_cast<std::size_t>(i)];
  }
  bool paired() const { return pairs_ != nullptr; }
  // The margin g_i at which row i begins to cost nothing.
  double goal(Index i) const { return pairs_ ? pairs_->goal(i) : 1.0; }
  // Of paired rows; else without y.
  Responses responses() const { return pairs_ ? pairs_->responses : Responses{}; }
  // The stored row of row i, and the first row that is made of stored row k.
  std::size_t stored_of(std::size_t i) const { return pairs_ ? i / 2 : i; }
  Index first_of(std::size_t k) const { return static_cast<Index>(pairs_ ? 2 * k : k); }
  // Rows with these labels and goals over other features; `x` holds the stored ones.
  Rows over(const DenseColumns<double>& x) const;

  // As of stored rows (stored_rows.hpp), for rows by their place here.
  void margins(const Index* which, std::size_t count, const double* w, double* out, Watch& watch);
  void margins_and_sum(const Index* which, const double* coef, std::size_t count, const double* w,
                       double* out, double* v);
  void accumulate(const Index* which, const double* coef, std::size_t count, double* v);
  void add_outer(const Outer& rows, const Triangle& target, Watch& watch);
  bool add_outer_roughly(const Outer& rows, const Triangle& target, Watch& watch);
  void add_curvature(const Outer& rows, const double* v, double* out, Watch& watch);
  void add_squares(const Outer& rows, double* out, Watch& watch);
  std::uint64_t where(std::size_t i) const;

 private:
  // Calls part(first, size) for parts of rows, none of which ends between two neighbors.
  template <class Part>
  static void in_parts(const Index* which, std::size_t count, Part&& part);
  Outer gathered(const Outer& rows);

  std::unique_ptr<Pairs> pairs_;
  std::unique_ptr<StoredRows> stored_;
};

// Stored rows as columns of the transpose, with labels y or a response for each; no copy of them
// takes more than pool_bytes.
struct Means {
  std::size_t threads = 1;
  std::size_t pool_bytes = static_cast<std::size_t>(-1);
};
template <class Columns>
Rows make_rows(const Columns& x, const double* y, double constant, const Means& means = {}) {
  return Rows(share_rows(store_rows(x, y, constant, means.pool_bytes), means.threads));
}
template <class Columns>
Rows make_paired(const Columns& x, const Responses& responses, double constant,
                 const Means& means = {}) {
  auto pairs = std::make_unique<Pairs>(responses);
  auto stored = share_rows(store_rows(x, nullptr, constant, means.pool_bytes), means.threads);
  return Rows(std::move(stored), std::move(pairs));
}

}  // namespace banditcd::svm
