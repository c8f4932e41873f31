// Passes over sparse columns and the row-wise Gram update. Nothing is made dense but blocks of rows
// (pack_sparse.hpp).
#include <algorithm>

#include "columns/bit_gram.hpp"
#include "columns/correlate_tasks.hpp"
#include "columns/design.hpp"
#include "columns/measure_sparse.hpp"
#include "columns/pack_sparse.hpp"
#include "columns/scatter_gram.hpp"
#include "kernels/prices.hpp"
#include "kernels/threads.hpp"

namespace banditcd {
namespace {

constexpr std::size_t kCheckEntries = 1 << 19;

template <class T>
class SparseDesign final : public Design {
 public:
  explicit SparseDesign(const CscColumns<T>& columns)
      : Design(columns.rows, columns.cols), columns_(columns), bits_(columns_), scatter_(columns_) {
    columns_.ones = columns.ones || columns.find_ones();
  }
  std::size_t entries() const override { return columns_.entries(); }
  std::size_t entries(std::size_t j) const override { return columns_.entries(j); }
  bool sparse() const override { return true; }
  double gram_entry_cost() const override {
    if (scatter_.measured()) return scatter_.entry_cost();
    const double mean = static_cast<double>(entries()) / static_cast<double>(cols());
    const double n = static_cast<double>(rows()), meeting = kScatter * mean * mean / n;
    return (cols() <= kPackColumns ? std::min(meeting, kProduct * n) : meeting) + kGramEntry;
  }

  void survey(const Rowspace& space, const double* v, ColumnFacts& out,
              Watch& watch) const override {
    for (std::size_t j = 0; j < cols(); ++j) {
      const std::int64_t begin = columns_.start[j], end = columns_.start[j + 1];
      out.correlation[j] = columns_.dot(j, v);
      out.square[j] = space.weight ? weighted_square(columns_, j,
                                                     [&](std::size_t i) { return space.weight[i]; })
                                   : columns_.square(j);
      out.mean[j] = 0.0;
      if (space.centered) center(space, j, out);
      if (static_cast<std::size_t>(begin) / kCheckEntries !=
          static_cast<std::size_t>(end) / kCheckEntries)
        watch.check();
    }
  }

  void correlate(const Index* column, std::size_t count, const double* v, double* out,
                 Watch& watch) const override {
    std::size_t total = 0;
    if (threads() > 1)
      for (std::size_t t = 0; t < count; ++t) total += columns_.entries(column[t]);
    const std::size_t shared = total >= kThreadEntries / 2 ? threads() : 1;
    // Pieces of equal numbers of columns; the entries per column are left to chance.
    const std::size_t pieces = shared > 1 ? 1 + 4 * total / kThreadEntries * shared : 1;
    const std::size_t alone =
        kCheckEntries / (8 * (entries() / std::max<std::size_t>(1, cols()) + 1));
    const std::size_t piece = shared > 1 ? count / pieces + 1 : std::max<std::size_t>(1, alone);
    for (std::size_t first = 0; first < count; first += 8 * shared * piece) {
      const std::size_t last = std::min(first + 8 * shared * piece, count);
      run_tasks(shared, (last - first + piece - 1) / piece, [&](std::size_t task) {
        const std::size_t from = first + task * piece;
        for (std::size_t t = from; t < std::min(from + piece, last); ++t)
          out[t] = columns_.dot(column[t], v);
      });
      watch.check();
    }
  }

  void correlate_tasks(const Index* column, std::size_t count, const double* v, std::size_t tasks,
                       double* out, Watch& watch) const override {
    if (tasks == 1) return correlate(column, count, v, out, watch);
    correlate_tasks_sparse(columns_, {column, count, v, tasks, out}, watch);
  }

  void weighted_squares(const Index* column, std::size_t count, const double* weight, double* out,
                        Watch& watch) const override {
    square_columns(columns_, column, count, weight, out, watch);
  }

  void combine(const Index* column, std::size_t count, const double* coef, double* v,
               Watch& watch) const override {
    std::size_t since_check = 0;
    for (std::size_t t = 0; t < count; ++t) {
      columns_.axpy(column[t], coef[t], v);
      if ((since_check += columns_.entries(column[t])) > kCheckEntries)
        watch.check(), since_check = 0;
    }
  }

  void measure(const Rowspace& space, const PointBatch& batch, BatchFacts& out,
               Watch& watch) const override {
    SparseMeasure(columns_, space, batch).run(out, watch);
  }

  std::unique_ptr<Design> sample(const std::vector<Index>& row) const override {
    std::vector<Index> place(rows(), -1);
    for (std::size_t t = 0; t < row.size(); ++t) place[row[t]] = static_cast<Index>(t);
    CompressedArrays<T> copy;
    const std::size_t expected =
        entries() / std::max<std::size_t>(1, rows() / std::max<std::size_t>(1, row.size()));
    copy.index.reserve(expected + expected / 8);
    copy.value.reserve(expected + expected / 8);
    for (std::size_t j = 0; j < cols(); ++j) {
      for (std::int64_t k = columns_.start[j]; k < columns_.start[j + 1]; ++k)
        if (place[columns_.row[k]] >= 0) {
          copy.index.push_back(place[columns_.row[k]]);
          copy.value.push_back(columns_.value[k]);
        }
      copy.end_column();
    }
    CscColumns<T> columns = copy.columns(row.size());
    columns.ones = columns_.ones;
    auto out = std::make_unique<SparseDesign<T>>(columns);
    out->owned_ = std::move(copy);
    out->set_threads(threads());
    return out;
  }

  std::size_t sweep(const Rowspace& space, const ColumnFacts& facts, const ColumnSweep& request,
                    Watch& watch) const override {
    return sweep_columns(columns_, space, facts, request, watch);
  }

  bool thinning_pays(const Index* column, std::size_t count) const override {
    return !costs_of(columns_, {column, 0, count, nullptr, 0}).packing_pays();
  }

  void scale(const Index* column, std::size_t count, const double* root,
             ScaledColumns& out) const override {
    scale_columns(columns_, column, count, root, out);
  }

  std::size_t append_gram(const Rowspace& space, const double* mean, const GramRequest& request,
                          Watch& watch) override {
    const std::size_t read = products(space, request, watch);
    if (space.centered)
      for (std::size_t j = request.old_size; j < request.size; ++j) {
        const double shift = space.total_weight * mean[request.column[j]];
        double* out = request.gram + j * request.stride;
        for (std::size_t i = 0; i <= j; ++i) out[i] -= shift * mean[request.column[i]];
        watch.check();
      }
    mirror(request, watch);
    return read;
  }

 private:
  // Without centering, in one of four ways. Returns the entries of X it read.
  std::size_t products(const Rowspace& space, const GramRequest& request, Watch& watch) {
    const ProductCosts costs = costs_of(columns_, request);
    const double pairs = pairs_of(request), n = static_cast<double>(rows());
    if (space.weight == nullptr && space.root_weight == nullptr)
      if (const std::size_t read = bits_.fill(request, pairs, costs.least(), watch)) {
        scatter_.note(pairs, bit_kernel().cost * n / kWordBits);
        return read;
      }
    if (costs.packing_pays())
      if (const std::size_t read = packed_products(columns_, space, request, watch)) {
        scatter_.note(pairs, kProduct * n);
        return read;
      }
    return scatter_.fill(space, request, watch);
  }

  // Weighted mean and centered square; the zeros of the column count, without being visited.
  void center(const Rowspace& space, std::size_t j, ColumnFacts& out) const {
    double sum = 0.0, weight = 0.0;
    const auto s = [&](std::size_t i) { return space.weight ? space.weight[i] : 1.0; };
    columns_.each(j, [&](std::size_t i, double a) {
      sum += s(i) * a;
      weight += s(i);
    });
    const double mean = sum / space.total_weight;
    double square = std::max(0.0, space.total_weight - weight) * mean * mean;
    columns_.each(j, [&](std::size_t i, double a) { square += s(i) * (a - mean) * (a - mean); });
    out.mean[j] = mean;
    const double floor = 1e-26 * out.square[j] * static_cast<double>(rows());
    out.square[j] = square > floor ? square : 0.0;
  }

  CscColumns<T> columns_;
  CompressedArrays<T> owned_;  // the data, if this is a sample
  BitGram<T> bits_;
  ScatterGram<T> scatter_;
};

}  // namespace

std::unique_ptr<Design> make_design(const CscColumns<double>& columns) {
  return std::make_unique<SparseDesign<double>>(columns);
}
std::unique_ptr<Design> make_design(const CscColumns<float>& columns) {
  return std::make_unique<SparseDesign<float>>(columns);
}

}  // namespace banditcd
