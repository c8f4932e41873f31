// Stored rows with their labels, z_i = y_i (x_i, c): dense or compressed, float or double.
//
// Everything that depends on how X is stored is behind this interface; rows.hpp makes the rows of a
// problem of it, one for each stored row or two.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/columns.hpp"
#include "solve/watch.hpp"

namespace banditcd::svm {

using Index = std::int32_t;

// A row as coordinate descent sees it: 32 bytes, so that a visit costs one cache line.
struct Arm {
  double a = 0.0;           // dual variable
  double inverse = 0.0;     // 1 / (|z_i|^2 + shift), the full step for a unit gradient
  double bound = 0.0;       // hinge: its upper bound C_i; squared hinge: the shift 1 / (2 C_i)
  std::uint64_t where = 0;  // a Where: label and place of the entries

  // Whether a bound keeps the variable where it is, against this gradient.
  template <bool boxed>
  bool stuck(double gradient) const {
    return (a <= 0.0 && gradient >= 0.0) || (boxed && a >= bound && gradient <= 0.0);
  }
  // The minimizer of the dual cost along this coordinate.
  template <bool boxed>
  double minimizer(double gradient) const {
    const double free = std::max(a - gradient * inverse, 0.0);
    return boxed ? std::min(free, bound) : free;
  }
};

// The label and the stretch of stored entries of a row, packed: begin, length, label.
struct Where {
  static constexpr std::uint64_t kLongest = (1u << 23) - 1;  // this length says: look it up
  static std::uint64_t pack(std::uint64_t begin, std::uint64_t length, bool positive) {
    const bool fits = length < kLongest && (begin >> 40) == 0;
    return (fits ? begin << 24 | length << 1 : kLongest << 1) | (positive ? 1u : 0u);
  }
  static double label(std::uint64_t where) { return (where & 1u) != 0 ? 1.0 : -1.0; }
  static std::uint64_t length(std::uint64_t where) { return where >> 1 & kLongest; }
  static std::uint64_t begin(std::uint64_t where) { return where >> 24; }
};

// One pass of coordinate descent over order[0 .. count); rows at a bound whose gradient points
// outwards by more than `drop` leave the order, which is compacted in place.
struct Sweep {
  Index* order = nullptr;
  std::size_t count = 0;
  Arm* arms = nullptr;
  double* w = nullptr;
  bool boxed = true;                 // the dual variables have an upper bound (hinge), or a shift
  double bias_step = 0.0;            // what y_i a_i adds to the last coordinate of w
  const double* response = nullptr;  // of paired rows, by stored row (rows.hpp); else null
  double epsilon = 0.0;              // with responses
  double drop = 0.0;
  double decrease = 0.0, steepest = 0.0;  // results: of the dual cost; largest projected gradient
};

// A dense symmetric matrix of which the lower triangle is used.
struct Triangle {
  double* h = nullptr;
  std::size_t stride = 0;
};

// Rows by their place, not negative weights, and a sign: sign * sum_t weight[t] z_i z_i^T.
struct Outer {
  const Index* which = nullptr;
  const double* weight = nullptr;
  std::size_t count = 0;
  double sign = 1.0;
};

// What is gathered for many rows is gathered for this many at a time.
constexpr std::size_t kRowsOfPart = 1u << 15;

// Rows by their place, each with an amount: what a step changed.
struct Changes {
  std::vector<Index> ids;
  std::vector<double> amounts;

  std::size_t size() const { return ids.size(); }
  void reserve(std::size_t count) {
    ids.reserve(count);
    amounts.reserve(count);
  }
  void clear() {
    ids.clear();
    amounts.clear();
  }
  void push(Index id, double amount) {
    ids.push_back(id);
    amounts.push_back(amount);
  }
  bool full() const { return ids.size() >= kRowsOfPart; }
};

class StoredRows {
 public:
  StoredRows(const double* y, double constant, std::size_t bytes)
      : labels(y), pool_bytes(bytes), constant_(constant) {}
  virtual ~StoredRows() = default;
  StoredRows(const StoredRows&) = delete;
  StoredRows& operator=(const StoredRows&) = delete;

  const double* const labels;    // null: all are +1
  const std::size_t pool_bytes;  // no copy of the data takes more

  virtual std::size_t count() const = 0;
  virtual std::size_t features() const = 0;
  virtual double entries() const = 0;
  virtual bool sparse() const = 0;
  std::size_t dim() const { return features() + (constant_ != 0.0 ? 1 : 0); }
  double label(std::size_t i) const { return labels == nullptr ? 1.0 : labels[i]; }
  double constant() const { return constant_; }

  // out[i] = |x_i|^2 for all rows.
  virtual void squares(double* out) = 0;
  // out[t] = z_i . w for i = which[t].
  virtual void margins(const Index* which, std::size_t count, const double* w, double* out,
                       Watch& watch) = 0;
  // Both at once, each row read once: out[t] = z_i . w and v += sum_t coef[t] z_i.
  virtual void margins_and_sum(const Index* which, const double* coef, std::size_t count,
                               const double* w, double* out, double* v) = 0;
  // v += sum_t coef[t] z_i.
  virtual void accumulate(const Index* which, const double* coef, std::size_t count, double* v) = 0;
  // H += the sum of outer products.
  virtual void add_outer(const Outer& rows, const Triangle& target, Watch& watch) = 0;
  // out += sum_t sign weight[t] (z_i . v) z_i, and out += sum_t sign weight[t] z_ij^2: the product
  // of that sum with v, and its diagonal.
  virtual void add_curvature(const Outer& rows, const double* v, double* out, Watch& watch) = 0;
  virtual void add_squares(const Outer& rows, double* out, Watch& watch) = 0;
  // The price of add_outer for all rows, in nanoseconds.
  virtual double outer_cost() const = 0;
  // H += the sum of outer products from single precision where that is faster, as for sparse rows
  // with many entries; else nothing is done, and the answer is no.
  virtual bool add_outer_roughly(const Outer&, const Triangle&, Watch&) { return false; }
  virtual double rough_outer_cost() const { return outer_cost(); }
  virtual void sweep(Sweep& sweep) = 0;
  // Asks sweep and margins to read a copy in single precision, half as long, from now on; returns
  // whether they will, which only rows that can be copied do. The sums stay in double.
  virtual bool read_copy(bool) { return false; }
  // Whether all of the copy has been made already.
  virtual bool has_copy() const { return false; }
  // The Where of a row.
  virtual std::uint64_t where(std::size_t i) const = 0;
  // K(s, t) = x_s . x_t of all rows, the lower triangle, for a problem with few of them.
  virtual void gram(const Triangle& target, Watch& watch) = 0;

  // Entries of X that all of these have read so far.
  virtual double entries_read() const { return static_cast<double>(entries_read_.load()); }

 protected:
  // Margins, sums and outer products of different rows may be asked for by threads at once.
  void count_entries(double entries) {
    entries_read_.fetch_add(static_cast<std::uint64_t>(entries), std::memory_order_relaxed);
  }

  double constant_;

 private:
  std::atomic<std::uint64_t> entries_read_{0};
};

// Rows as columns of the transpose: DenseColumns over a C-ordered matrix, CscColumns over CSR.
template <class T>
std::unique_ptr<StoredRows> store_rows(const DenseColumns<T>& x, const double* y, double constant,
                                       std::size_t pool_bytes);
template <class T>
std::unique_ptr<StoredRows> store_rows(const CscColumns<T>& x, const double* y, double constant,
                                       std::size_t pool_bytes);

}  // namespace banditcd::svm
