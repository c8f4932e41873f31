#include "svm/shared_rows.hpp"

#include <utility>

#include "kernels/prices.hpp"
#include "solve/rounds.hpp"

namespace banditcd::svm {
namespace {

constexpr std::size_t kAtOnce = 4;  // pieces of each thread between looks at the watch
constexpr std::size_t kMatrixBytes = 256u << 20;  // of all threads' places for outer products
constexpr double kMatrixEntry = 4.0;  // nanoseconds to clear and add an entry of such a place

struct Piece {
  std::size_t first, size;
};
Outer some(const Outer& rows, const Piece& p) {
  return {rows.which + p.first, rows.weight + p.first, p.size, rows.sign};
}
double part(const Outer& rows, const StoredRows& of) {
  return static_cast<double>(rows.count) / static_cast<double>(of.count());
}

class SharedRows final : public StoredRows {
 public:
  SharedRows(std::unique_ptr<StoredRows> whole, std::size_t piece, std::size_t threads)
      : StoredRows(whole->labels, whole->constant(), whole->pool_bytes),
        whole_(std::move(whole)),
        piece_(piece),
        threads_(threads) {}

  std::size_t count() const override { return whole_->count(); }
  std::size_t features() const override { return whole_->features(); }
  double entries() const override { return whole_->entries(); }
  bool sparse() const override { return whole_->sparse(); }
  double entries_read() const override { return whole_->entries_read(); }
  void squares(double* out) override { whole_->squares(out); }
  void sweep(Sweep& sweep) override { whole_->sweep(sweep); }
  bool read_copy(bool wanted) override { return whole_->read_copy(wanted); }
  bool has_copy() const override { return whole_->has_copy(); }
  std::uint64_t where(std::size_t i) const override { return whole_->where(i); }
  void gram(const Triangle& target, Watch& watch) override { whole_->gram(target, watch); }

  void margins(const Index* which, std::size_t count, const double* w, double* out,
               Watch& watch) override {
    if (count <= piece_) return whole_->margins(which, count, w, out, watch);
    run(count, watch, [&](const Piece& p, Watch& patient, std::size_t) {
      whole_->margins(which + p.first, p.size, w, out + p.first, patient);
    });
  }
  void margins_and_sum(const Index* which, const double* coef, std::size_t count, const double* w,
                       double* out, double* v) override {
    if (count <= piece_) return whole_->margins_and_sum(which, coef, count, w, out, v);
    add_up(count, v, [&](const Piece& p, double* place) {
      whole_->margins_and_sum(which + p.first, coef + p.first, p.size, w, out + p.first, place);
    });
  }
  void accumulate(const Index* which, const double* coef, std::size_t count, double* v) override {
    if (count <= piece_) return whole_->accumulate(which, coef, count, v);
    add_up(count, v, [&](const Piece& p, double* place) {
      whole_->accumulate(which + p.first, coef + p.first, p.size, place);
    });
  }
  void add_curvature(const Outer& rows, const double* v, double* out, Watch& watch) override {
    if (rows.count <= piece_) return whole_->add_curvature(rows, v, out, watch);
    Watch patient;
    add_up(rows.count, out, [&](const Piece& p, double* place) {
      whole_->add_curvature(some(rows, p), v, place, patient);
    });
    watch.check();
  }
  void add_squares(const Outer& rows, double* out, Watch& watch) override {
    if (rows.count <= piece_) return whole_->add_squares(rows, out, watch);
    Watch patient;
    add_up(rows.count, out, [&](const Piece& p, double* place) {
      whole_->add_squares(some(rows, p), place, patient);
    });
    watch.check();
  }

  double outer_cost() const override { return whole_->outer_cost() / shares(whole_->outer_cost()); }
  double rough_outer_cost() const override {
    return whole_->rough_outer_cost() / shares(whole_->rough_outer_cost());
  }
  void add_outer(const Outer& rows, const Triangle& target, Watch& watch) override {
    if (shares(whole_->outer_cost() * part(rows, *whole_)) < 2.0)
      return whole_->add_outer(rows, target, watch);
    add_outer_in_pieces(rows, target, watch,
                        [&](const Outer& piece, const Triangle& place, Watch& patient) {
                          whole_->add_outer(piece, place, patient);
                        });
  }
  bool add_outer_roughly(const Outer& rows, const Triangle& target, Watch& watch) override {
    if (!(whole_->rough_outer_cost() < whole_->outer_cost())) return false;
    if (shares(whole_->rough_outer_cost() * part(rows, *whole_)) < 2.0)
      return whole_->add_outer_roughly(rows, target, watch);
    add_outer_in_pieces(rows, target, watch,
                        [&](const Outer& piece, const Triangle& place, Watch& patient) {
                          whole_->add_outer_roughly(piece, place, patient);
                        });
    return true;
  }

 private:
  // work(piece, its watch, thread) for all pieces of this many rows.
  template <class Work>
  void run(std::size_t count, Watch& watch, const Work& work) const {
    const Rounds rounds((count + piece_ - 1) / piece_, threads_);
    rounds.run(kAtOnce, watch, [&](std::size_t p, Watch& patient, std::size_t thread) {
      const std::size_t first = p * piece_;
      work(Piece{first, std::min(piece_, count - first)}, patient, thread);
    });
  }
  // v += what work(piece, place) adds to the places of all threads.
  template <class Work>
  void add_up(std::size_t count, double* v, const Work& work) const {
    std::vector<std::vector<double>> places(threads_);
    Watch patient;
    run(count, patient, [&](const Piece& piece, Watch&, std::size_t thread) {
      places[thread].resize(dim(), 0.0);
      work(piece, places[thread].data());
    });
    for (const std::vector<double>& place : places)
      if (!place.empty()) axpy(1.0, place.data(), v, dim());
  }
  template <class Work>
  void add_outer_in_pieces(const Outer& rows, const Triangle& target, Watch& watch,
                           const Work& work) const {
    std::vector<std::vector<double>> places(threads_);
    run(rows.count, watch, [&](const Piece& piece, Watch& patient, std::size_t thread) {
      places[thread].resize(dim() * target.stride, 0.0);
      work(some(rows, piece), Triangle{places[thread].data(), target.stride}, patient);
    });
    for (const std::vector<double>& place : places)
      for (std::size_t i = 0; !place.empty() && i < dim(); ++i)
        axpy(1.0, place.data() + i * target.stride, target.h + i * target.stride, i + 1);
  }
  // The number of threads among which products of this price are shared, or one.
  double shares(double cost) const {
    const double size = static_cast<double>(dim() * dim()), threads = static_cast<double>(threads_);
    const bool fits = size * sizeof(double) * threads <= static_cast<double>(kMatrixBytes);
    return fits && cost > threads * kMatrixEntry * size ? threads : 1.0;
  }

  std::unique_ptr<StoredRows> whole_;
  std::size_t piece_, threads_;
};

}  // namespace

std::unique_ptr<StoredRows> share_rows(std::unique_ptr<StoredRows> rows, std::size_t threads) {
  const auto entries = static_cast<std::size_t>(rows->entries());
  if (threads < 2 || entries < kThreadEntries) return rows;
  const std::size_t in_row = std::max<std::size_t>(1, entries / rows->count());
  const std::size_t piece = std::max<std::size_t>(4, kThreadPiece / in_row / 4 * 4);
  return std::make_unique<SharedRows>(std::move(rows), piece, threads);
}

}  // namespace banditcd::svm
