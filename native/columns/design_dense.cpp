// Passes over dense columns and the packed Gram update.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "columns/correlate_tasks.hpp"
#include "columns/design.hpp"
#include "columns/gram_survey.hpp"
#include "columns/gram_tiles.hpp"
#include "columns/measure_dense.hpp"
#include "columns/rough_gram.hpp"
#include "columns/survey_dense.hpp"
#include "kernels/prices.hpp"
#include "kernels/threads.hpp"
#include "kernels/tiles.hpp"
#include "solve/strategy.hpp"

namespace banditcd {
namespace {

constexpr std::size_t kChunk = 2048;  // rows that stay in the first-level cache
constexpr double kCentered = 0.01;    // what centering must leave of a square to be done afterwards
constexpr std::size_t kCheckBlocks = 8;         // blocks of rows between two looks, with threads
constexpr std::size_t kCheckEntries = 1 << 20;  // entries between two looks at the watch

template <class T>
class DenseDesign final : public Design {
 public:
  explicit DenseDesign(const DenseColumns<T>& columns)
      : Design(columns.rows, columns.cols), columns_(columns) {}
  // The same on data of its own.
  static std::unique_ptr<Design> owning(std::vector<T> data, std::size_t rows, std::size_t cols) {
    auto out = std::make_unique<DenseDesign<T>>(DenseColumns<T>{data.data(), rows, cols, rows});
    out->owned_ = std::move(data);
    return out;
  }
  std::size_t entries() const override { return columns_.entries(); }
  std::size_t entries(std::size_t j) const override { return columns_.entries(j); }
  bool sparse() const override { return false; }
  double gram_entry_cost() const override {
    return kProduct * static_cast<double>(rows()) + kGramEntry;
  }

  void survey(const Rowspace& space, const double* v, ColumnFacts& out,
              Watch& watch) const override {
    if (cols() <= kSmallColumns && space.weight == nullptr) return survey_few(space, v, out, watch);
    survey_dense(columns_, space, v, out, threads(), watch);
  }

  void correlate(const Index* column, std::size_t count, const double* v, double* out,
                 Watch& watch) const override {
    if (count * rows() <= kCheckEntries) {
      correlate_some(column, count, v, out);
      return watch.check();
    }
    // Between two looks at the watch: one thread's share, or that of all of them.
    const std::size_t shared = count * rows() >= kThreadEntries ? threads() : 1;
    const std::size_t entries = shared > 1 ? kThreadPiece : kCheckEntries;
    const std::size_t piece = std::max<std::size_t>(4, entries / rows() / 4 * 4);
    for (std::size_t first = 0; first < count; first += 8 * shared * piece) {
      const std::size_t last = std::min(first + 8 * shared * piece, count);
      run_tasks(shared, (last - first + piece - 1) / piece, [&](std::size_t task) {
        const std::size_t from = first + task * piece;
        correlate_some(column + from, std::min(piece, last - from), v, out + from);
      });
      watch.check();
    }
  }

  void correlate_tasks(const Index* column, std::size_t count, const double* v, std::size_t tasks,
                       double* out, Watch& watch) const override {
    if (tasks < kTasksAtOnce) return Design::correlate_tasks(column, count, v, tasks, out, watch);
    correlate_tasks_dense(columns_, {column, count, v, tasks, out}, watch);
  }

  void weighted_squares(const Index* column, std::size_t count, const double* weight, double* out,
                        Watch& watch) const override {
    square_columns(columns_, column, count, weight, out, watch);
  }

  // By chunks of rows, so that v stays in the cache while the columns stream through.
  void combine(const Index* column, std::size_t count, const double* coef, double* v,
               Watch& watch) const override {
    const std::size_t chunks = (rows() + kChunk - 1) / kChunk;
    const std::size_t shared = count * rows() >= kThreadEntries ? threads() : 1;
    const auto add = [&](std::size_t chunk) {
      const std::size_t i = chunk * kChunk, size = std::min(kChunk, rows() - i);
      for (std::size_t t = 0; t < count; ++t)
        axpy(coef[t], columns_.column(column[t]) + i, v + i, size);
    };
    for (std::size_t first = 0; first < chunks; first += shared) {
      if (shared > 1)
        run_tasks(shared, std::min(shared, chunks - first), [&](std::size_t k) { add(first + k); });
      else
        add(first);
      watch.check();
    }
  }

  void measure(const Rowspace& space, const PointBatch& batch, BatchFacts& out,
               Watch& watch) const override {
    DenseMeasure<T>(columns_, space, batch).run(out, watch);
  }

  std::unique_ptr<Design> sample(const std::vector<Index>& row) const override {
    std::vector<T> copy(row.size() * cols());
    const std::size_t shared = copy.size() >= kThreadEntries ? threads() : 1;
    run_tasks(shared, shared, [&](std::size_t task) {
      for (std::size_t j = task * cols() / shared; j < (task + 1) * cols() / shared; ++j) {
        const T* a = columns_.column(j);
        T* to = copy.data() + j * row.size();
        for (std::size_t t = 0; t < row.size(); ++t) to[t] = a[row[t]];
      }
    });
    auto out = owning(std::move(copy), row.size(), cols());
    out->set_threads(threads());
    return out;
  }

  std::size_t sweep(const Rowspace& space, const ColumnFacts& facts, const ColumnSweep& request,
                    Watch& watch) const override {
    return sweep_columns(columns_, space, facts, request, watch);
  }

  std::unique_ptr<Design> centered(const double* mean) const override {
    std::vector<double> copy(entries());
    for (std::size_t j = 0; j < cols(); ++j) {
      const T* a = columns_.column(j);
      double* to = copy.data() + j * rows();
      for (std::size_t i = 0; i < rows(); ++i) to[i] = static_cast<double>(a[i]) - mean[j];
    }
    return DenseDesign<double>::owning(std::move(copy), rows(), cols());
  }

  void scale(const Index* column, std::size_t count, const double* root,
             ScaledColumns& out) const override {
    scale_columns(columns_, column, count, root, out);
  }

  std::size_t append_gram(const Rowspace& space, const double* mean, const GramRequest& request,
                          Watch& watch) override {
    const std::size_t ld = request.stride, first = request.old_size, last = request.size;
    if (known_ && space.weight == nullptr && space.root_weight == nullptr) {
      copy_known(space, mean, request);
      return 0;
    }
    for (std::size_t j = first; j < last; ++j)
      std::fill(request.gram + j * ld, request.gram + j * ld + last, 0.0);
    const double work = kProduct * static_cast<double>((last - first) * last) * rows();
    const std::size_t shared = work >= kDenseEntry * kThreadEntries ? threads() : 1;
    const std::vector<GramTile> tiles = gram_tiles(first, last, kGramColumns, shared);
    // Each entry is a sum over blocks of rows in their order, whoever adds them.
    const std::size_t step = shared > 1 ? kCheckBlocks * kGramRows : kGramRows;
    packed_.resize(std::max(packed_.size(), shared > 1 ? tiles.size() : 1));
    for (std::size_t row = 0; row < rows(); row += step) {
      run_tasks(shared, tiles.size(), [&](std::size_t k) {
        const std::size_t end = std::min(row + step, rows());
        for (std::size_t i = row; i < end; i += kGramRows)
          gram_block(space, mean, request, {i, std::min(kGramRows, end - i), tiles[k]},
                     packed_[shared > 1 ? k : 0]);
      });
      watch.check();
    }
    std::size_t read = 0;
    for (std::size_t j = first; j < last; j += kGramColumns)
      read += rows() * std::min(j + kGramColumns, last);
    mirror(request, watch);
    return read;
  }

  bool offers_rough() const override { return std::is_same<T, double>::value && !known_; }

  std::size_t append_rough_gram(const ColumnFacts& facts, const GramRequest& request,
                                Watch& watch) override {
    if constexpr (std::is_same<T, double>::value)
      return RoughGram(columns_, facts, request).fill(threads(), watch);
    else
      return Design::append_rough_gram(facts, request, watch);
  }

 private:
  struct Block {
    std::size_t row, rows;
    GramTile tile;
  };
  struct Packed {
    AlignedBuffer recent, old;
  };

  // One look for everything. Centering afterwards is as good as before, unless it cancels.
  void survey_few(const Rowspace& space, const double* v, ColumnFacts& out, Watch& watch) const {
    auto products = std::make_unique<GramSurvey<T>>(columns_, v, watch);
    bool cancels = false;
    for (std::size_t j = 0; j < cols(); ++j) {
      const double square = products->product(j, j);
      out.correlation[j] = products->correlation(j);
      out.mean[j] = space.centered ? products->sum(j) / space.total_weight : 0.0;
      out.square[j] =
          space.centered ? centered_square(space, columns_.column(j), out.mean[j], square) : square;
      cancels = cancels || out.square[j] < kCentered * square;
    }
    if (!cancels) known_ = std::move(products);
  }
  void copy_known(const Rowspace& space, const double* mean, const GramRequest& request) const {
    for (std::size_t t = request.old_size; t < request.size; ++t)
      for (std::size_t s = 0; s <= t; ++s) {
        const Index i = request.column[s], j = request.column[t];
        const double shift = space.centered ? space.total_weight * mean[i] * mean[j] : 0.0;
        const double product = known_->product(i, j) - shift;
        request.gram[t * request.stride + s] = request.gram[s * request.stride + t] = product;
      }
  }

  // Adds what one block of rows has to the entries of a tile.
  void gram_block(const Rowspace& space, const double* mean, const GramRequest& request,
                  const Block& block, Packed& packed) const {
    const std::size_t lane = padded(block.rows), group = tile_kernel().a_rows;
    const GramTile& tile = block.tile;
    packed.recent.reserve((tile.last - tile.first) * lane);
    packed.old.reserve(group * lane);
    for (std::size_t j = tile.first; j < tile.last; ++j)
      pack(space, mean, request.column[j], block, packed.recent.data() + (j - tile.first) * lane);
    const PackedRows wanted{packed.recent.data(), lane, tile.last - tile.first};
    double* corner = request.gram + tile.first * request.stride;
    for (std::size_t i = tile.left_first; i < tile.left_last; i += group) {
      const std::size_t count = std::min(group, tile.left_last - i);
      const double* left = packed.old.data();
      if (i >= tile.first) {
        left = packed.recent.data() + (i - tile.first) * lane;
      } else {
        for (std::size_t t = 0; t < count; ++t)
          pack(space, mean, request.column[i + t], block, packed.old.data() + t * lane);
      }
      // Compare positions in the tile: an old column comes before every new one.
      const bool inside = i >= tile.first;
      add_products({left, lane, count}, wanted, lane, 1.0, corner + i, request.stride,
                   inside ? Part::kDiagonal : Part::kAll, inside ? i - tile.first : 0);
    }
  }

  void correlate_some(const Index* column, std::size_t count, const double* v, double* out) const {
    std::size_t t = 0;
    for (; t + 4 <= count; t += 4) {
      const T* a[4] = {columns_.column(column[t]), columns_.column(column[t + 1]),
                       columns_.column(column[t + 2]), columns_.column(column[t + 3])};
      dot4(a, v, rows(), out + t);
    }
    for (; t < count; ++t) out[t] = columns_.dot(column[t], v);
  }

  void pack(const Rowspace& space, const double* mean, Index j, const Block& block,
            double* out) const {
    const T* a = columns_.column(j) + block.row;
    const double shift = space.centered ? mean[j] : 0.0;
    if (space.root_weight) {
      const double* s = space.root_weight + block.row;
      for (std::size_t t = 0; t < block.rows; ++t)
        out[t] = (static_cast<double>(a[t]) - shift) * s[t];
    } else if (shift != 0.0) {
      for (std::size_t t = 0; t < block.rows; ++t) out[t] = static_cast<double>(a[t]) - shift;
    } else {
      std::copy_n(a, block.rows, out);
    }
    std::fill(out + block.rows, out + padded(block.rows), 0.0);
  }

  DenseColumns<T> columns_;
  std::vector<T> owned_;  // the data, if this is a copy
  std::vector<Packed> packed_;
  // The Gram matrix of all columns, before centering, if the survey found it on its way.
  mutable std::unique_ptr<GramSurvey<T>> known_;
};

}  // namespace

std::unique_ptr<Design> make_design(const DenseColumns<double>& columns) {
  return std::make_unique<DenseDesign<double>>(columns);
}
std::unique_ptr<Design> make_design(const DenseColumns<float>& columns) {
  return std::make_unique<DenseDesign<float>>(columns);
}

}  // namespace banditcd
