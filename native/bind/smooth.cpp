// Bindings of the smooth solvers. Shapes are checked here, before any native code sees memory.
#include "bind/smooth.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>

#include "record/cholesky.hpp"
#include "smooth/cost_model.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd::smooth_bind;
using namespace banditcd::smooth;

namespace {

template <class T>
std::unique_ptr<SmoothRows> dense_rows(Matrix<T> X) {
  DenseRows<T> rows;
  rows.data = X.data();
  rows.rows = X.shape(0);
  rows.cols = rows.stride = X.shape(1);
  require(rows.rows > 0, "smooth solver: X has no rows");
  return std::make_unique<SmoothRows>(make_rows(rows), std::make_shared<Matrix<T>>(X));
}

template <class T>
std::unique_ptr<SmoothRows> sparse_rows(Vector<T> value, Vector<std::int32_t> column,
                                        Vector<std::int64_t> start, std::size_t cols) {
  require(start.shape(0) >= 2 && start.data()[0] == 0,
          "smooth solver: indptr must start at 0 and X must have rows");
  require(cols < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
          "smooth solver: X has more columns than 32-bit indices can name");
  const std::size_t count = start.shape(0) - 1;
  for (std::size_t i = 0; i < count; ++i)
    require(start.data()[i] <= start.data()[i + 1], "smooth solver: indptr must not decrease");
  const auto entries = static_cast<std::size_t>(start.data()[count]);
  require(value.shape(0) >= entries && column.shape(0) >= entries,
          "smooth solver: data and indices are shorter than indptr says");
  bool sorted = true;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t last = -1;
    for (std::int64_t k = start.data()[i]; k < start.data()[i + 1]; ++k) {
      sorted &= column.data()[k] > last;
      last = column.data()[k];
    }
    sorted &= last < static_cast<std::int64_t>(cols);
  }
  require(sorted, "smooth solver: column indices of a row must increase and be inside X");
  CsrRows<T> rows;
  rows.value = value.data();
  rows.column = column.data();
  rows.start = start.data();
  rows.rows = count;
  rows.cols = cols;
  using Arrays = std::tuple<Vector<T>, Vector<std::int32_t>, Vector<std::int64_t>>;
  return std::make_unique<SmoothRows>(make_rows(rows),
                                      std::make_shared<Arrays>(value, column, start));
}

// A factored symmetric matrix. Copies the lower triangle of H and adds to the diagonal.
class Factor {
 public:
  Factor(nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> H, double ridge,
         double pivot) {
    const std::size_t size = H.shape(0), stride = H.shape(1);
    require(stride >= size, "smooth solver: a symmetric matrix needs as many columns as rows");
    watched(SmoothRows::kForever, [&](Watch& watch) {
      cholesky_.resize(size);
      for (std::size_t i = 0; i < size; ++i) {
        const double* from = H.data() + i * stride;
        std::copy(from, from + i + 1, cholesky_.row(i));
        cholesky_.row(i)[i] += ridge;
      }
      good_ = cholesky_.factor(pivot, watch);
    });
  }
  bool good() const { return good_; }
  void solve(Output b) const {
    require(good_ && b.shape(0) == cholesky_.size(),
            "smooth solver: cannot solve with this factor");
    nb::gil_scoped_release release;
    cholesky_.solve(b.data());
  }

 private:
  banditcd::record::Cholesky cholesky_;
  bool good_ = false;
};

}  // namespace

void bind_smooth(nb::module_& m) {
  nb::class_<SmoothRows>(m, "SmoothRows", "A matrix by rows, as the smooth solvers read it.")
      .def("times", &SmoothRows::times, "w"_a, "out"_a)
      .def("transposed_times", &SmoothRows::transposed_times, "v"_a, "out"_a)
      .def("squares", &SmoothRows::squares, "weight"_a, "out"_a)
      .def("normal_matrix", &SmoothRows::normal_matrix, "weight"_a.none(), "shift"_a.none(),
           "out"_a, "max_seconds"_a, "rough"_a)
      .def("outer_matrix", &SmoothRows::outer_matrix, "weight"_a.none(), "shift"_a.none(), "out"_a,
           "max_seconds"_a)
      .def("ridge_residual", &SmoothRows::ridge_residual, "y"_a, "weight"_a.none(), "dual"_a.none(),
           "model"_a, "residual"_a, "correlation"_a)
      .def("ridge_cg", &SmoothRows::ridge_cg, "weight"_a.none(), "mean"_a.none(), "stop"_a,
           "gradient"_a, "w"_a, "max_seconds"_a)
      .def("ridge_race", &SmoothRows::ridge_race, "weight"_a.none(), "mean"_a.none(), "stop"_a,
           "gradient"_a, "w"_a, "rho"_a, "dual"_a, "max_seconds"_a)
      .def(
          "rough_pays",
          [](const SmoothRows& rows, bool centered) { return rows.matrix().rough_pays(centered); },
          "centered"_a)
      .def_prop_ro("costs", [](const SmoothRows& rows) {
        const RowMatrix& X = rows.matrix();
        const double pass =
            static_cast<double>(X.entries()) * (X.sparse() ? kSparsePass : kDensePass);
        return std::make_tuple(X.normal_cost() + factor_cost(X.cols()),
                               X.outer_cost() + factor_cost(X.rows()), pass);
      });
  nb::class_<Factor>(m, "SmoothFactor", "A Cholesky factor of H + ridge I.")
      .def(nb::init<nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>, double,
                    double>(),
           "H"_a, "ridge"_a, "pivot"_a)
      .def("solve", &Factor::solve, "b"_a)
      .def_prop_ro("good", &Factor::good);
  m.def("padded_size", &banditcd::record::padded, "size"_a,
        "The row length that a symmetric matrix of this size needs.");
  m.def("smooth_dense", &dense_rows<double>, "X"_a);
  m.def("smooth_dense", &dense_rows<float>, "X"_a);
  m.def("smooth_sparse", &sparse_rows<double>, "data"_a, "indices"_a, "indptr"_a, "cols"_a);
  m.def("smooth_sparse", &sparse_rows<float>, "data"_a, "indices"_a, "indptr"_a, "cols"_a);
}
