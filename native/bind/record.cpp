// Bindings of the record solver. Shapes are checked here, before any native code sees memory.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bind/module.hpp"
#include "record/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;
using namespace banditcd::record;

namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::f_contig, nb::device::cpu>;
using Optional = std::optional<Vector<double>>;
using Output = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// The arrays beside X, all borrowed from NumPy and kept alive as long as the solver.
struct Sides {
  Vector<double> y;
  Optional sample_weight, penalty_weight, lower, upper;
  bool intercept;

  Data check(std::size_t rows, std::size_t cols) const {
    require(y.shape(0) == rows, "record solver: y needs one value per row of X");
    const auto side = [](const Optional& v, std::size_t size, const char* message) {
      require(!v || v->shape(0) == size, message);
      return v ? v->data() : nullptr;
    };
    Data out;
    out.y = y.data();
    out.sample_weight =
        side(sample_weight, rows, "record solver: sample_weight needs one value per row of X");
    out.penalty_weight = side(penalty_weight, cols,
                              "record solver: penalty_weights needs one value per column of X");
    out.lower = side(lower, cols, "record solver: lower needs one value per column of X");
    out.upper = side(upper, cols, "record solver: upper needs one value per column of X");
    out.intercept = intercept;
    return out;
  }
};

class Session {
 public:
  Session(std::unique_ptr<Design> design, Sides sides, std::shared_ptr<const void> keep,
          std::size_t pool_bytes, std::size_t solves)
      : sides_(std::move(sides)),
        keep_(std::move(keep)),
        rows_(design->rows()),
        cols_(design->cols()),
        solver_(std::move(design), sides_.check(rows_, cols_), pool_bytes, solves) {}

  // Ctrl-C is noticed about every 50 ms of native work and raised here.
  Report solve(double l1, double l2, double tol, std::size_t max_bins, double max_seconds) {
    bool signalled = false;
    Limits limits{tol, max_bins, max_seconds, [&signalled] {
                    nb::gil_scoped_acquire gil;
                    signalled = PyErr_CheckSignals() != 0;
                    return signalled;
                  }};
    Report report;
    {
      nb::gil_scoped_release release;
      report = solver_.solve(l1, l2, limits);
    }
    if (signalled) throw nb::python_error();
    return report;
  }
  // coef: one column of X after another for each penalty; l1, l2, intercept: one value each.
  std::vector<Report> solve_path(Vector<double> l1, Vector<double> l2, double tol,
                                 std::size_t max_bins, double max_seconds, Output coef,
                                 Output intercept) {
    const std::size_t count = l1.shape(0);
    require(l2.shape(0) == count && intercept.shape(0) == count && coef.shape(0) == count * cols_,
            "record solver: l1, l2, coef and intercept of a path must agree in size");
    std::vector<std::pair<double, double>> grid;
    for (std::size_t k = 0; k < count; ++k) grid.emplace_back(l1.data()[k], l2.data()[k]);
    bool signalled = false;
    Limits limits{tol, max_bins, max_seconds, [&signalled] {
                    nb::gil_scoped_acquire gil;
                    signalled = signalled || PyErr_CheckSignals() != 0;
                    return signalled;
                  }};
    std::vector<Report> reports;
    {
      nb::gil_scoped_release release;
      reports = solver_.solve_path(grid, limits, {coef.data(), intercept.data()});
    }
    if (signalled) throw nb::python_error();
    return reports;
  }
  void start_at(Vector<double> coef) {
    require(coef.shape(0) == cols_, "record solver: a start needs one value per column of X");
    nb::gil_scoped_release release;
    solver_.set_point(coef.data(), {});
  }
  void gram(Vector<std::int32_t> columns, Output out) {
    const std::size_t size = columns.shape(0);
    require(out.shape(0) == size * size, "record solver: the Gram matrix needs size^2 places");
    for (std::size_t t = 0; t < size; ++t)
      require(columns.data()[t] >= 0 && static_cast<std::size_t>(columns.data()[t]) < cols_,
              "record solver: a column is outside X");
    solver_.gram({columns.data(), columns.data() + size}, out.data());
  }
  std::tuple<std::vector<double>, std::vector<double>, std::vector<double>> facts() {
    solver_.largest_penalty({});
    return {solver_.facts().correlation, solver_.facts().square, solver_.facts().mean};
  }
  void coefficients(Output out) const {
    require(out.shape(0) == cols_, "record solver: coefficients need one place per column of X");
    solver_.coefficients(out.data());
  }
  double largest_penalty() {
    nb::gil_scoped_release release;
    return solver_.largest_penalty({});
  }
  double intercept() const { return solver_.intercept(); }
  double null_objective() const { return solver_.null_objective(); }

 private:
  Sides sides_;
  std::shared_ptr<const void> keep_;
  std::size_t rows_, cols_;
  RecordSolver solver_;
};

template <class T>
std::unique_ptr<Session> dense_session(Matrix<T> X, Vector<double> y, Optional sample_weight,
                                       Optional penalty_weight, Optional lower, Optional upper,
                                       bool intercept, std::size_t pool_bytes, std::size_t solves) {
  DenseColumns<T> columns;
  columns.data = X.data();
  columns.rows = X.shape(0);
  columns.cols = X.shape(1);
  columns.stride = X.shape(0);
  require(columns.rows > 0, "record solver: X has no rows");
  require(columns.cols < static_cast<std::size_t>(std::numeric_limits<Index>::max()),
          "record solver: X has more columns than 32-bit indices can name");
  return std::make_unique<Session>(make_design(columns),
                                   Sides{y, sample_weight, penalty_weight, lower, upper, intercept},
                                   std::make_shared<Matrix<T>>(X), pool_bytes, solves);
}

template <class T>
CscColumns<T> checked_csc(const Vector<T>& value, const Vector<std::int32_t>& row,
                          const Vector<std::int64_t>& start, std::size_t rows) {
  require(rows > 0, "record solver: X has no rows");
  require(start.shape(0) >= 1 && start.data()[0] == 0, "record solver: indptr must start at 0");
  const std::size_t cols = start.shape(0) - 1;
  require(cols < static_cast<std::size_t>(std::numeric_limits<Index>::max()),
          "record solver: X has more columns than 32-bit indices can name");
  for (std::size_t j = 0; j < cols; ++j)
    require(start.data()[j] <= start.data()[j + 1], "record solver: indptr must not decrease");
  const auto entries = static_cast<std::size_t>(start.data()[cols]);
  require(value.shape(0) >= entries && row.shape(0) >= entries,
          "record solver: data and indices are shorter than indptr says");
  std::int32_t low = 0, high = 0;
  for (std::size_t k = 0; k < entries; ++k) {
    low = std::min(low, row.data()[k]);
    high = std::max(high, row.data()[k]);
  }
  require(low >= 0 && static_cast<std::size_t>(high) < rows,
          "record solver: a row index is outside X");
  CscColumns<T> out;
  out.value = value.data();
  out.row = row.data();
  out.start = start.data();
  out.rows = rows;
  out.cols = cols;
  return out;
}

template <class T>
std::unique_ptr<Session> sparse_session(Vector<T> value, Vector<std::int32_t> row,
                                        Vector<std::int64_t> start, std::size_t rows,
                                        Vector<double> y, Optional sample_weight,
                                        Optional penalty_weight, Optional lower, Optional upper,
                                        bool intercept, std::size_t pool_bytes,
                                        std::size_t solves) {
  using Arrays = std::tuple<Vector<T>, Vector<std::int32_t>, Vector<std::int64_t>>;
  const CscColumns<T> columns = checked_csc(value, row, start, rows);
  return std::make_unique<Session>(make_design(columns),
                                   Sides{y, sample_weight, penalty_weight, lower, upper, intercept},
                                   std::make_shared<Arrays>(value, row, start), pool_bytes, solves);
}

}  // namespace

void bind_record(nb::module_& m) {
  nb::enum_<Status>(m, "RecordStatus")
      .value("converged", Status::kConverged)
      .value("max_bins", Status::kMaxBins)
      .value("max_seconds", Status::kMaxSeconds)
      .value("interrupted", Status::kInterrupted)
      .value("stalled", Status::kStalled);
  nb::enum_<Regime>(m, "RecordRegime")
      .value("null", Regime::kNull)
      .value("pool", Regime::kPool)
      .value("whole_gram", Regime::kWholeGram)
      .value("residual", Regime::kResidual);
  nb::class_<Report>(m, "RecordReport")
      .def_ro("status", &Report::status)
      .def_ro("regime", &Report::regime)
      .def_prop_ro("primal", [](const Report& r) { return r.certificate.primal; })
      .def_prop_ro("gap", [](const Report& r) { return r.certificate.gap; })
      .def_ro("target", &Report::target)
      .def_ro("seconds", &Report::seconds)
      .def_ro("passes", &Report::passes)
      .def_ro("bins", &Report::bins)
      .def_ro("pool_size", &Report::pool_size)
      .def_ro("support", &Report::support)
      .def_ro("epochs", &Report::epochs)
      .def_ro("newtons", &Report::newtons)
      .def_prop_ro("phases", [](const Report& r) {
        return std::make_tuple(r.phases.pass, r.phases.gram, r.phases.pool, r.phases.residual);
      });
  nb::class_<Session>(m, "RecordSession", "A matrix, its pool and the last point of a solve.")
      .def("solve", &Session::solve, "l1"_a, "l2"_a, "tol"_a, "max_bins"_a, "max_seconds"_a)
      .def("solve_path", &Session::solve_path, "l1"_a, "l2"_a, "tol"_a, "max_bins"_a,
           "max_seconds"_a, "coef"_a, "intercept"_a)
      .def("start_at", &Session::start_at, "coef"_a)
      .def("gram", &Session::gram, "columns"_a, "out"_a)
      .def("facts", &Session::facts)
      .def("coefficients", &Session::coefficients, "out"_a)
      .def("largest_penalty", &Session::largest_penalty)
      .def_prop_ro("intercept", &Session::intercept)
      .def_prop_ro("null_objective", &Session::null_objective);
  m.def("record_dense", &dense_session<double>, "X"_a, "y"_a, "sample_weight"_a.none(),
        "penalty_weights"_a.none(), "lower"_a.none(), "upper"_a.none(), "intercept"_a,
        "pool_bytes"_a, "solves"_a);
  m.def("record_dense", &dense_session<float>, "X"_a, "y"_a, "sample_weight"_a.none(),
        "penalty_weights"_a.none(), "lower"_a.none(), "upper"_a.none(), "intercept"_a,
        "pool_bytes"_a, "solves"_a);
  m.def("record_sparse", &sparse_session<double>, "data"_a, "indices"_a, "indptr"_a, "rows"_a,
        "y"_a, "sample_weight"_a.none(), "penalty_weights"_a.none(), "lower"_a.none(),
        "upper"_a.none(), "intercept"_a, "pool_bytes"_a, "solves"_a);
  m.def("record_sparse", &sparse_session<float>, "data"_a, "indices"_a, "indptr"_a, "rows"_a, "y"_a,
        "sample_weight"_a.none(), "penalty_weights"_a.none(), "lower"_a.none(), "upper"_a.none(),
        "intercept"_a, "pool_bytes"_a, "solves"_a);
}
