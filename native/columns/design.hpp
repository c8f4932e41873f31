// X by columns, as solvers ask for it, always for a batch of columns: nothing else reads X.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "columns/scaled_columns.hpp"
#include "kernels/columns.hpp"
#include "kernels/memory.hpp"
#include "solve/penalty.hpp"
#include "solve/watch.hpp"

namespace banditcd {

using Index = std::int32_t;

// The geometry of the rows: <u, v> = sum_i s_i u_i v_i, and columns centered if there is an
// intercept. Null weights are all ones.
struct Rowspace {
  std::size_t rows = 0;
  const double* weight = nullptr;
  const double* root_weight = nullptr;
  const double* constant = nullptr;  // what a column of ones is here; null: ones
  double total_weight = 0.0;
  bool centered = false;
  bool thinned = false;  // most weights are zero: such rows are left out of Gram matrices
  static Rowspace unweighted(std::size_t rows, bool centered) {
    return {rows, nullptr, nullptr, nullptr, static_cast<double>(rows), centered};
  }
  double weight_of_constant(std::size_t i) const {
    return weight ? weight[i] : constant ? constant[i] : 1.0;
  }
};

// The same with the roots of the weights, which it owns; the weights are borrowed.
class WeightedRows {
 public:
  WeightedRows(std::size_t rows, const double* weight, bool centered);
  WeightedRows(const WeightedRows&) = delete;
  WeightedRows& operator=(const WeightedRows&) = delete;
  const Rowspace& space() const { return space_; }

 private:
  Rowspace space_;
  std::vector<double> root_;
};

struct ColumnFacts {
  void resize(std::size_t cols) {
    correlation.resize(cols);
    square.resize(cols);
    mean.resize(cols);
  }

  std::vector<double> correlation;  // <x_j, v>
  std::vector<double> square;       // <x_j, x_j>, centered
  std::vector<double> mean;         // weighted mean, zero without an intercept
};

// Columns column[0 .. size) of the pool; Gram entries of those from old_size on are wanted.
struct GramRequest {
  const Index* column;
  std::size_t old_size, size;
  double* gram;  // entry (i, j) at i * stride + j and j * stride + i
  std::size_t stride;
};

// Fills all of it from the Gram matrix of all columns, whose rows are this far apart.
void copy_gram(const double* gram, std::size_t stride, const GramRequest& request, Watch& watch);
// Copies the new rows into the new columns, by square blocks that stay in the cache.
void mirror(const GramRequest& request, Watch& watch);

// Several points at once: R_b = y + shift_b - X coef_b for b < size, from one look at the columns.
struct PointBatch {
  const Index* column = nullptr;
  std::size_t count = 0, size = 0;
  const double* coef = nullptr;   // column t of point b at t * size + b
  const double* y = nullptr;      // by row
  const double* shift = nullptr;  // by point
};

// What their residuals say: sum_i s_i R_i, sum_i s_i R_i^2 and sum_i s_i x_it R_i, by point (and
// column, like coef).
struct BatchFacts {
  std::vector<double> sum, square, correlation;
};

// One epoch of coordinate descent in residual space, over some positions of the pool.
struct ColumnSweep {
  const Index* column = nullptr;    // by position
  const Index* position = nullptr;  // the positions to visit
  std::size_t count = 0;
  const Penalty* g = nullptr;  // by position
  double* x = nullptr;         // by position
  double* weighted = nullptr;  // s * R, kept up to date
};

// Correlations of columns with one vector or several, from one reading of the columns.
class Correlating {
 public:
  explicit Correlating(std::size_t rows) : rows_(rows) {}
  virtual ~Correlating() = default;
  std::size_t rows() const { return rows_; }
  // out[t] = sum_i v_i x_i,column[t]; v must already carry the row weights.
  virtual void correlate(const Index* column, std::size_t count, const double* v, double* out,
                         Watch& watch) const = 0;
  // The same for several vectors: task k is at k * rows() of v and at k * count of out.
  virtual void correlate_tasks(const Index* column, std::size_t count, const double* v,
                               std::size_t tasks, double* out, Watch& watch) const {
    for (std::size_t k = 0; k < tasks; ++k)
      correlate(column, count, v + k * rows_, out + k * count, watch);
  }

 private:
  std::size_t rows_;
};

class Design : public Correlating {
 public:
  Design(std::size_t rows, std::size_t cols) : Correlating(rows), cols_(cols) {}
  std::size_t cols() const { return cols_; }
  // How many threads passes and products that take longer than kThreadEntries may use.
  void set_threads(std::size_t threads) { threads_ = threads; }
  std::size_t threads() const { return threads_; }
  virtual std::size_t entries() const = 0;
  virtual std::size_t entries(std::size_t j) const = 0;
  virtual bool sparse() const = 0;
  // What one Gram entry costs, in nanoseconds; sparse data knows it after the first ones.
  virtual double gram_entry_cost() const = 0;
  // Whether Gram entries cost next to nothing, because they are known already.
  virtual bool gram_known() const { return false; }
  // Whether a gap from Gram space with its rounding bound is enough, without a look at the data.
  virtual bool gram_certifies() const { return false; }
  // How many times larger the rounding of its Gram entries is than that of a direct product.
  virtual double gram_rounding() const { return 1.0; }

  // One fused pass. v must already carry the row weights.
  virtual void survey(const Rowspace& space, const double* v, ColumnFacts& out,
                      Watch& watch) const = 0;
  // out[t] = sum_i weight_i x_i,column[t]^2, not centered.
  virtual void weighted_squares(const Index* column, std::size_t count, const double* weight,
                                double* out, Watch& watch) const = 0;
  // v += sum_t coef[t] x_column[t]
  virtual void combine(const Index* column, std::size_t count, const double* coef, double* v,
                       Watch& watch) const = 0;
  // True residuals of several points and their correlations with the same columns.
  virtual void measure(const Rowspace& space, const PointBatch& batch, BatchFacts& out,
                       Watch& watch) const = 0;
  // Minimizes over each coordinate in turn. Returns how many signs changed.
  virtual std::size_t sweep(const Rowspace& space, const ColumnFacts& facts,
                            const ColumnSweep& request, Watch& watch) const = 0;
  // A copy of some rows, given as increasing row numbers.
  virtual std::unique_ptr<Design> sample(const std::vector<Index>& row) const = 0;
  // A copy in float64 whose columns are shifted by these means; null if this matrix has none.
  virtual std::unique_ptr<Design> centered(const double*) const { return nullptr; }
  // A packed copy of columns with row i multiplied by root[i].
  virtual void scale(const Index*, std::size_t, const double*, ScaledColumns&) const {
    throw std::logic_error("This matrix offers no packed columns.");
  }
  // Whether the Gram matrix of these columns costs less in a thinned space.
  virtual bool thinning_pays(const Index*, std::size_t) const { return false; }
  // Fills the new rows and columns of the Gram matrix. Returns the entries of X it read.
  virtual std::size_t append_gram(const Rowspace& space, const double* mean,
                                  const GramRequest& request, Watch& watch) = 0;
  // The same from products in single precision, if they are offered; rows without weights.
  virtual bool offers_rough() const { return false; }
  virtual std::size_t append_rough_gram(const ColumnFacts&, const GramRequest&, Watch&) {
    throw std::logic_error("This matrix offers no products in single precision.");
  }

 private:
  std::size_t cols_, threads_ = 1;
};

std::vector<Index> all_columns(std::size_t cols);
double entries_of(const Design& design, const std::vector<Index>& columns);

// out_t = sum_i weight_i x_it^2 of some columns.
template <class Columns>
void square_columns(const Columns& columns, const Index* column, std::size_t count,
                    const double* weight, double* out, Watch& watch) {
  constexpr std::size_t kCheckEntries = 1 << 19;  // between two looks at the watch
  std::size_t since_check = 0;
  for (std::size_t t = 0; t < count; ++t) {
    out[t] = weighted_square(columns, column[t], [&](std::size_t i) { return weight[i]; });
    if ((since_check += columns.entries(column[t])) > kCheckEntries) watch.check(), since_check = 0;
  }
}

// The epoch, for any storage: columns offers dot(j, v) and axpy(j, t, v) on unweighted rows.
// Centering is implicit: the true weighted residual is weighted + shift * s.
template <class Columns>
std::size_t sweep_columns(const Columns& columns, const Rowspace& space, const ColumnFacts& facts,
                          const ColumnSweep& request, Watch& watch) {
  constexpr std::size_t kCheckEntries = 1 << 19;
  std::size_t signs_changed = 0, since_check = 0;
  double shift = 0.0;
  for (std::size_t k = 0; k < request.count; ++k) {
    const Index t = request.position[k], j = request.column[t];
    const double mean = facts.mean[j], h = facts.square[j], old = request.x[t];
    const double u = columns.dot(j, request.weighted) + shift * space.total_weight * mean;
    const double next = request.g[t].minimizer(u + h * old, h);
    if ((since_check += columns.entries(j)) > kCheckEntries) watch.check(), since_check = 0;
    if (next == old) continue;
    signs_changed += next * old <= 0.0 ? 1 : 0;
    if (space.weight == nullptr)
      columns.axpy(j, old - next, request.weighted);
    else
      columns.each(j, [&](std::size_t i, double a) {
        request.weighted[i] += (old - next) * space.weight[i] * a;
      });
    shift += (next - old) * mean;
    request.x[t] = next;
  }
  if (shift != 0.0)
    for (std::size_t i = 0; i < space.rows; ++i)
      request.weighted[i] += shift * space.weight_of_constant(i);
  return signs_changed;
}

std::unique_ptr<Design> make_design(const DenseColumns<double>& columns);
std::unique_ptr<Design> make_design(const DenseColumns<float>& columns);
std::unique_ptr<Design> make_design(const CscColumns<double>& columns);
std::unique_ptr<Design> make_design(const CscColumns<float>& columns);
std::unique_ptr<Design> make_design(const ScaledColumns& columns, std::size_t rows);

}  // namespace banditcd
