// What the solver asks of the data matrix X, always for a batch of columns: nothing else reads X.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/columns.hpp"
#include "record/interrupt.hpp"
#include "record/memory.hpp"

namespace banditcd::record {

using Index = std::int32_t;

// The geometry of the rows: <u, v> = sum_i s_i u_i v_i, and columns centered if there is an
// intercept. Null weights are all ones.
struct Rowspace {
  std::size_t rows = 0;
  const double* weight = nullptr;
  const double* root_weight = nullptr;
  double total_weight = 0.0;
  bool centered = false;
};

struct ColumnFacts {
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

class Design {
 public:
  Design(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols) {}
  virtual ~Design() = default;
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  virtual std::size_t entries() const = 0;
  virtual std::size_t entries(std::size_t j) const = 0;
  virtual bool sparse() const = 0;

  // One fused pass. v must already carry the row weights.
  virtual void survey(const Rowspace& space, const double* v, ColumnFacts& out,
                      Watch& watch) const = 0;
  // out[t] = sum_i v_i x_i,column[t]; v must already carry the row weights.
  virtual void correlate(const Index* column, std::size_t count, const double* v, double* out,
                         Watch& watch) const = 0;
  // v += sum_t coef[t] x_column[t]
  virtual void combine(const Index* column, std::size_t count, const double* coef, double* v,
                       Watch& watch) const = 0;
  // Fills the new rows and columns of the Gram matrix. Returns the entries of X it read.
  virtual std::size_t append_gram(const Rowspace& space, const double* mean,
                                  const GramRequest& request, Watch& watch) = 0;

 private:
  std::size_t rows_, cols_;
};

std::unique_ptr<Design> make_design(const DenseColumns<double>& columns);
std::unique_ptr<Design> make_design(const DenseColumns<float>& columns);
std::unique_ptr<Design> make_design(const CscColumns<double>& columns);
std::unique_ptr<Design> make_design(const CscColumns<float>& columns);

}  // namespace banditcd::record
