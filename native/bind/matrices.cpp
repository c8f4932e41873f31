// Bindings of the data matrix, by columns and by rows. Shapes and indices are checked here, before
// any native code sees memory.
#include "bind/matrices.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <tuple>

#include "bind/interrupt.hpp"
#include "bind/module.hpp"
#include "kernels/memory.hpp"
#include "kernels/prices.hpp"
#include "rows/shared_rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {

const RowMatrix& Rows::matrix() const {
  if (!matrix_)
    matrix_ = share_rows(
        std::visit([](const auto& x) { return make_rows(rows_of_transpose(x)); }, transposed_),
        threads_);
  return *matrix_;
}

void Rows::set_threads(std::size_t threads) {
  require(threads >= 1, "n_threads must be at least 1");
  require(!matrix_, "the number of threads comes before the first pass");
  threads_ = threads;
}

void Columns::set_threads(std::size_t threads) {
  require(threads >= 1, "n_threads must be at least 1");
  threads_ = threads;
}

namespace {

template <class T>
using FortranMatrix = nb::ndarray<const T, nb::ndim<2>, nb::f_contig, nb::device::cpu>;
template <class T>
using CMatrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Square = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kMostIndices = std::numeric_limits<std::int32_t>::max() / 2;

void require_shape(std::size_t rows, std::size_t cols) {
  require(rows > 0, "X has no rows");
  require(rows < kMostIndices && cols < kMostIndices,
          "X has more rows or columns than 32-bit indices can name");
}

// How many entries are not above the one before them; in blocks, so that 32 bits count them.
template <class I>
std::size_t descents(const I* index, std::size_t size) {
  constexpr std::size_t kBlock = 1 << 20;
  std::size_t total = 0;
  for (std::size_t from = 1; from < size; from += kBlock) {
    std::uint32_t count = 0;
    for (std::size_t k = from; k < std::min(from + kBlock, size); ++k)
      count += index[k - 1] >= index[k] ? 1 : 0;
    total += count;
  }
  return total;
}

// Requires that starts ascend from 0 and stay within the arrays, and that indices are below width.
// Returns whether the indices of every column (or row) ascend without a duplicate.
template <class I>
bool check_storage(const Vector<std::int64_t>& start, const Vector<I>& index, std::size_t values,
                   std::size_t width) {
  require(start.shape(0) >= 1 && start.data()[0] == 0, "indptr must start at 0");
  const std::size_t count = start.shape(0) - 1;
  for (std::size_t j = 0; j < count; ++j)
    require(start.data()[j] <= start.data()[j + 1], "indptr must not decrease");
  const auto entries = static_cast<std::size_t>(start.data()[count]);
  require(values >= entries && index.shape(0) >= entries,
          "data and indices are shorter than indptr says");
  // Indices may only descend where a column starts.
  std::size_t disorder = descents(index.data(), entries);
  const auto is_inside = [&](I i) { return i >= 0 && static_cast<std::size_t>(i) < width; };
  bool inside = true;
  for (std::size_t j = 0; j < count; ++j) {
    const auto first = static_cast<std::size_t>(start.data()[j]);
    const auto last = static_cast<std::size_t>(start.data()[j + 1]);
    if (first == last) continue;
    if (first > 0) disorder -= index.data()[first - 1] >= index.data()[first];
    inside &= is_inside(index.data()[first]) && is_inside(index.data()[last - 1]);
  }
  // Of indices that ascend, the first and the last of a column are the least and the largest.
  if (disorder > 0) inside = std::all_of(index.data(), index.data() + entries, is_inside);
  require(inside, "an index of the sparse matrix is outside X");
  return disorder == 0;
}

// The arrays of a compressed matrix, and the size of the axis that the indices count.
template <class T>
struct Compressed {
  Vector<T> value;
  Vector<std::int32_t> index;
  Vector<std::int64_t> start;
  std::size_t width;

  std::size_t count() const { return start.shape(0) - 1; }
  void check() const {
    require(check_storage(start, index, value.shape(0), width),
            "indices must ascend within each column (each row of a matrix by rows), without a "
            "duplicate");
  }
  CscColumns<T> view() const { return {value.data(), index.data(), start.data(), width, count()}; }
  std::shared_ptr<const void> owner() const { return std::make_shared<Compressed>(*this); }
};

template <class T>
std::shared_ptr<Columns> dense_columns(FortranMatrix<T> X) {
  require_shape(X.shape(0), X.shape(1));
  const DenseColumns<T> view{X.data(), X.shape(0), X.shape(1), X.shape(0)};
  return std::make_shared<Columns>(view, std::make_shared<FortranMatrix<T>>(X));
}

template <class T>
std::shared_ptr<Columns> sparse_columns(Vector<T> data, Vector<std::int32_t> indices,
                                        Vector<std::int64_t> indptr, std::size_t rows) {
  const Compressed<T> arrays{data, indices, indptr, rows};
  arrays.check();
  require_shape(rows, arrays.count());
  return std::make_shared<Columns>(arrays.view(), arrays.owner());
}

template <class T>
std::shared_ptr<Rows> dense_rows(CMatrix<T> X) {
  require_shape(X.shape(0), X.shape(1));
  const DenseColumns<T> view{X.data(), X.shape(1), X.shape(0), X.shape(1)};
  return std::make_shared<Rows>(view, std::make_shared<CMatrix<T>>(X));
}

template <class T>
std::shared_ptr<Rows> sparse_rows(Vector<T> data, Vector<std::int32_t> indices,
                                  Vector<std::int64_t> indptr, std::size_t cols) {
  const Compressed<T> arrays{data, indices, indptr, cols};
  arrays.check();
  require_shape(arrays.count(), cols);
  return std::make_shared<Rows>(arrays.view(), arrays.owner());
}

template <class T>
void bind_storage(nb::class_<Columns>& columns, nb::class_<Rows>& rows) {
  columns.def(nb::new_(&dense_columns<T>), "X"_a)
      .def(nb::new_(&sparse_columns<T>), "data"_a, "indices"_a, "indptr"_a, "rows"_a);
  rows.def(nb::new_(&dense_rows<T>), "X"_a)
      .def(nb::new_(&sparse_rows<T>), "data"_a, "indices"_a, "indptr"_a, "cols"_a);
}

void require_square(const Square& out, std::size_t size) {
  require(out.shape(0) == size && out.shape(1) >= padded(size),
          "the matrix needs padded rows, see padded_size");
}

void times(const Rows& self, Vector<double> w, Output out) {
  require(w.shape(0) == self.cols() && out.shape(0) == self.rows(),
          "X w needs one value per column and one place per row");
  watched(kInfinity, [&](Watch& watch) { self.matrix().times(w.data(), out.data(), watch); });
}

void transposed_times(const Rows& self, Vector<double> v, Output out) {
  require(v.shape(0) == self.rows() && out.shape(0) == self.cols(),
          "X^T v needs one value per row and one place per column");
  watched(kInfinity,
          [&](Watch& watch) { self.matrix().transposed_times(v.data(), out.data(), watch); });
}

void squares(const Rows& self, Vector<double> weight, Output out) {
  require(weight.shape(0) == self.rows() && out.shape(0) == self.cols(),
          "squares need one weight per row and one place per column");
  watched(kInfinity,
          [&](Watch& watch) { self.matrix().squares(weight.data(), out.data(), watch); });
}

void row_squares(const Rows& self, Output out) {
  require(out.shape(0) == self.rows(), "squares of rows need one place per row");
  const RowMatrix& X = self.matrix();
  watched(kInfinity, [&](Watch& watch) {
    constexpr std::size_t kWatchedRows = 256;  // between two looks at the watch
    for (std::size_t i = 0; i < X.rows(); ++i) {
      out.data()[i] = X.row_square(i);
      if (i % kWatchedRows == 0) watch.check();
    }
  });
}

void normal_matrix(const Rows& self, OptionalVector weight, OptionalVector shift, Square out,
                   double max_seconds, bool rough) {
  require_square(out, self.cols());
  const double* d = optional_data(weight, self.rows(), "one weight per row is needed");
  const double* center = optional_data(shift, self.cols(), "one shift per column is needed");
  watched(max_seconds, [&](Watch& watch) {
    if (rough)
      self.matrix().rough_normal_matrix(d, center, out.data(), out.shape(1), watch);
    else
      self.matrix().normal_matrix(d, center, out.data(), out.shape(1), watch);
  });
}

void outer_matrix(const Rows& self, OptionalVector weight, OptionalVector shift, Square out,
                  double max_seconds) {
  require_square(out, self.rows());
  const double* e = optional_data(weight, self.cols(), "one weight per column is needed");
  const double* center = optional_data(shift, self.cols(), "one shift per column is needed");
  watched(max_seconds, [&](Watch& watch) {
    self.matrix().outer_matrix(e, center, out.data(), out.shape(1), watch);
  });
}

// Nanoseconds of the factored normal matrix, of the factored outer matrix, and of a pass; the first
// two of dense rows in single precision, too.
std::tuple<double, double, double> costs(const Rows& self) {
  const RowMatrix& X = self.matrix();
  return {X.normal_cost() + factor_cost(X.cols()), X.outer_cost() + factor_cost(X.rows()),
          X.pass_cost()};
}
std::pair<double, double> rough_costs(const Rows& self) {
  const std::size_t n = self.matrix().rows(), p = self.matrix().cols();
  return {rough_product_cost(n, p) + rough_factor_cost(p),
          rough_product_cost(p, n) + rough_factor_cost(n)};
}

}  // namespace
}  // namespace banditcd::bind

void bind_matrices(nb::module_& m) {
  using namespace banditcd::bind;
  nb::class_<Columns> columns(m, "Columns", "A matrix by columns: Fortran order or CSC, borrowed.");
  nb::class_<Rows> rows(m, "Rows", "A matrix by rows: C order or canonical CSR, borrowed.");
  bind_storage<double>(columns, rows);
  bind_storage<float>(columns, rows);
  columns
      .def_prop_ro("shape", [](const Columns& self) { return std::pair(self.rows(), self.cols()); })
      .def("set_threads", &Columns::set_threads, "threads"_a);
  rows.def("set_threads", &Rows::set_threads, "threads"_a)
      .def_prop_ro("shape", [](const Rows& self) { return std::pair(self.rows(), self.cols()); })
      .def("times", &times, "w"_a, "out"_a)
      .def("transposed_times", &transposed_times, "v"_a, "out"_a)
      .def("squares", &squares, "weight"_a, "out"_a)
      .def("row_squares", &row_squares, "out"_a)
      .def("normal_matrix", &normal_matrix, "weight"_a.none(), "shift"_a.none(), "out"_a,
           "max_seconds"_a, "rough"_a)
      .def("outer_matrix", &outer_matrix, "weight"_a.none(), "shift"_a.none(), "out"_a,
           "max_seconds"_a)
      .def(
          "rough_pays",
          [](const Rows& self, bool centered) { return self.matrix().rough_pays(centered); },
          "centered"_a)
      .def_prop_ro("costs", &costs)
      .def_prop_ro("rough_costs", &rough_costs);
  const char* about =
      "Require that the arrays of a CSR or CSC matrix fit each other, in one pass; return whether "
      "its indices ascend without a duplicate.";
  m.def("check_compressed", &check_storage<std::int32_t>, "indptr"_a, "indices"_a, "values"_a,
        "width"_a, about);
  m.def("check_compressed", &check_storage<std::int64_t>, "indptr"_a, "indices"_a, "values"_a,
        "width"_a, about);
  m.def("padded_size", &banditcd::padded, "size"_a,
        "The row length that a symmetric matrix of this size needs.");
}
