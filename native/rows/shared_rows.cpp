#include "rows/shared_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rows/class_passes.hpp"
#include "solve/rounds.hpp"

namespace banditcd {
namespace {

// Pieces of each thread between two looks at the watch, in a pass and in products.
constexpr std::size_t kPassPieces = 4, kProductPieces = 1;
constexpr std::size_t kEntriesPerColumn = 8;      // of a piece at least: what a sum over it costs
constexpr std::size_t kLeastRows = 128;           // of a piece whose products are shared
constexpr std::size_t kMatrixBytes = 256u << 20;  // of all threads' places for a matrix of products

// A part of the rows.
template <class Matrix>
struct Piece {
  std::size_t first;
  std::unique_ptr<Matrix> rows;
};

class SharedClassPasses final : public ClassPasses {
 public:
  SharedClassPasses(std::vector<Piece<ClassPasses>> pieces, std::size_t rows, std::size_t cols,
                    const Rounds& rounds)
      : pieces_(std::move(pieces)), rows_(rows), cols_(cols), rounds_(rounds) {}
  void times(const double* w, std::size_t width, double* out, Watch& watch) const override {
    rounds_.run(kPassPieces, watch, [&](std::size_t p, Watch& patient, std::size_t) {
      pieces_[p].rows->times(w, width, out + pieces_[p].first * width, patient);
    });
  }
  void transposed_times(const double* v, std::size_t width, double* out,
                        Watch& watch) const override {
    const auto work = [&](std::size_t p, Watch& patient, double* place) {
      pieces_[p].rows->transposed_times(v + pieces_[p].first * width, width, place, patient);
    };
    rounds_.sum(kPassPieces, cols_ * width, out, watch, work);
  }
  void transposed_squares(const double* v, std::size_t width, double* out,
                          Watch& watch) const override {
    const auto work = [&](std::size_t p, Watch& patient, double* place) {
      pieces_[p].rows->transposed_squares(v + pieces_[p].first * width, width, place, patient);
    };
    rounds_.sum(kPassPieces, cols_ * width, out, watch, work);
  }
  void transform(const double* w, std::size_t width, const BlockMap& map, double* out,
                 Watch& watch) const override {
    std::vector<double> values(rows_ * width);
    times(w, width, values.data(), watch);
    map(0, rows_, values.data());
    transposed_times(values.data(), width, out, watch);
  }

 private:
  std::vector<Piece<ClassPasses>> pieces_;
  std::size_t rows_, cols_;
  Rounds rounds_;
};

class SharedRows final : public RowMatrix {
 public:
  SharedRows(std::unique_ptr<RowMatrix> whole, std::size_t piece, std::size_t threads)
      : RowMatrix(whole->rows(), whole->cols(), whole->single()),
        whole_(std::move(whole)),
        rounds_((rows() + piece - 1) / piece, threads) {
    for (std::size_t first = 0; first < rows(); first += piece)
      pieces_.push_back({first, whole_->part({first, std::min(piece, rows() - first)})});
  }
  std::size_t entries() const override { return whole_->entries(); }
  bool sparse() const override { return whole_->sparse(); }
  double normal_cost() const override { return whole_->normal_cost(); }
  double outer_cost() const override { return whole_->outer_cost(); }

  void times(const double* w, double* out, Watch& watch) const override {
    rounds_.run(kPassPieces, watch, [&](std::size_t p, Watch& patient, std::size_t) {
      pieces_[p].rows->times(w, out + pieces_[p].first, patient);
    });
  }
  void transposed_times(const double* v, double* out, Watch& watch) const override {
    const auto work = [&](std::size_t p, Watch& patient, double* place) {
      pieces_[p].rows->transposed_times(v + pieces_[p].first, place, patient);
    };
    rounds_.sum(kPassPieces, cols(), out, watch, work);
  }
  // Two readings, because the map takes the rows in their order.
  void transform(const double* w, const BlockMap& map, double* out, Watch& watch) const override {
    std::vector<double> values(rows());
    times(w, values.data(), watch);
    map(0, rows(), values.data());
    transposed_times(values.data(), out, watch);
  }
  void squares(const double* d, double* out, Watch& watch) const override {
    const auto work = [&](std::size_t p, Watch& patient, double* place) {
      pieces_[p].rows->squares(d ? d + pieces_[p].first : nullptr, place, patient);
    };
    rounds_.sum(kPassPieces, cols(), out, watch, work);
  }

  void normal_matrix(const double* d, const double* shift, double* out, std::size_t stride,
                     Watch& watch) const override {
    if (!shares_products(stride)) return whole_->normal_matrix(d, shift, out, stride, watch);
    sum_products(&RowMatrix::normal_matrix, {d, shift}, out, stride, watch);
  }
  bool rough_pays(bool centered) const override { return whole_->rough_pays(centered); }
  void rough_normal_matrix(const double* d, const double* shift, double* out, std::size_t stride,
                           Watch& watch) const override {
    if (!shares_products(stride)) return whole_->rough_normal_matrix(d, shift, out, stride, watch);
    sum_products(&RowMatrix::rough_normal_matrix, {d, shift}, out, stride, watch);
  }
  // By columns of X, which are not what it is cut into.
  void outer_matrix(const double* e, const double* shift, double* out, std::size_t stride,
                    Watch& watch) const override {
    whole_->outer_matrix(e, shift, out, stride, watch);
  }

  std::unique_ptr<ClassPasses> class_passes() const override {
    std::vector<Piece<ClassPasses>> pieces;
    for (const Piece<RowMatrix>& piece : pieces_)
      pieces.push_back({piece.first, piece.rows->class_passes()});
    return std::make_unique<SharedClassPasses>(std::move(pieces), rows(), cols(), rounds_);
  }
  std::unique_ptr<RowMatrix> part(const RowRange& range) const override {
    return whole_->part(range);
  }

  double row_dot(std::size_t i, const double* w) const override { return whole_->row_dot(i, w); }
  void row_axpy(std::size_t i, double t, double* w) const override { whole_->row_axpy(i, t, w); }
  double row_square(std::size_t i) const override { return whole_->row_square(i); }
  std::size_t row_entries(std::size_t i) const override { return whole_->row_entries(i); }
  void round_row(std::size_t i, float* out) const override { whole_->round_row(i, out); }
  std::unique_ptr<RowMatrix> rounded(const float* values) const override {
    return whole_->rounded(values);
  }

 private:
  struct Geometry {
    const double* d;
    const double* shift;
  };
  using Products = void (RowMatrix::*)(const double*, const double*, double*, std::size_t,
                                       Watch&) const;

  bool shares_products(std::size_t stride) const {
    const std::size_t bytes = 2 * rounds_.threads() * cols() * stride * sizeof(double);
    return pieces_.front().rows->rows() >= kLeastRows && bytes <= kMatrixBytes;
  }
  void sum_products(Products products, const Geometry& geometry, double* out, std::size_t stride,
                    Watch& watch) const {
    const auto work = [&](std::size_t p, Watch& patient, double* place) {
      const double* d = geometry.d ? geometry.d + pieces_[p].first : nullptr;
      ((*pieces_[p].rows).*products)(d, geometry.shift, place, stride, patient);
    };
    rounds_.sum(kProductPieces, cols() * stride, out, watch, work);
  }

  std::unique_ptr<RowMatrix> whole_;
  std::vector<Piece<RowMatrix>> pieces_;
  Rounds rounds_;
};

}  // namespace

std::unique_ptr<RowMatrix> share_rows(std::unique_ptr<RowMatrix> rows, std::size_t threads) {
  if (threads < 2 || rows->entries() < kThreadEntries) return rows;
  const std::size_t in_row = std::max<std::size_t>(1, rows->entries() / rows->rows());
  const std::size_t entries = std::max(kThreadPiece, kEntriesPerColumn * rows->cols());
  const std::size_t piece = std::max<std::size_t>(4, entries / in_row / 4 * 4);
  return std::make_unique<SharedRows>(std::move(rows), piece, threads);
}

}  // namespace banditcd
