// Bindings of the record solver. Shapes are checked here, before any native code sees memory.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind/module.hpp"
#include "bind/record_paths.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;
using namespace banditcd::record;
using namespace banditcd::bind;

namespace {

// Everything a result needs in one call: names instead of members of an enumeration, which take
// Python longer than a small fit.
using ReportValues = std::tuple<const char*, const char*, double, double, double, double,
                                std::size_t, double, std::size_t, std::size_t>;
ReportValues values(const Report& r) {
  static constexpr const char* kStatus[] = {"converged", "max_bins", "max_seconds", "interrupted",
                                            "stalled"};
  static constexpr const char* kRegime[] = {"null", "pool", "whole_gram", "residual"};
  return {kStatus[static_cast<int>(r.status)],
          kRegime[static_cast<int>(r.regime)],
          r.certificate.primal,
          r.certificate.gap,
          r.target,
          r.passes,
          r.bins,
          r.seconds,
          r.pool_size,
          r.support};
}

class Session {
 public:
  Session(std::unique_ptr<Design> design, Sides sides, std::shared_ptr<const void> keep,
          std::size_t pool_bytes, std::size_t solves)
      : sides_(std::move(sides)),
        keep_(std::move(keep)),
        rows_(design->rows()),
        cols_(design->cols()),
        solver_(std::move(design), sides_.check(rows_, cols_), pool_bytes, solves) {}

  Report solve(double l1, double l2, double tol, std::size_t max_bins, double max_seconds) {
    return interruptible({tol, max_bins, max_seconds, {}},
                         [&](const Limits& limits) { return solver_.solve(l1, l2, limits); });
  }
  // The same for callers that want the point and the numbers, and no object between them.
  std::tuple<double, ReportValues> solve_into(double l1, double l2, double tol,
                                              std::size_t max_bins, double max_seconds,
                                              Output coef) {
    require(coef.shape(0) == cols_, "record solver: coefficients need one place per column of X");
    const Report report = solve(l1, l2, tol, max_bins, max_seconds);
    solver_.coefficients(coef.data());
    return {solver_.intercept(), values(report)};
  }
  void path(const PathArrays& arrays, double tol, std::size_t max_bins) {
    run_path(solver_, arrays, tol, max_bins);
  }
  // coef: one column of X after another for each penalty; l1, l2, intercept: one value each.
  std::vector<Report> solve_path(Vector<double> l1, Vector<double> l2, double tol,
                                 std::size_t max_bins, double max_seconds, Output coef,
                                 Output intercept) {
    const std::size_t count = l1.shape(0);
    require(l2.shape(0) == count && intercept.shape(0) == count && coef.shape(0) == count * cols_,
            "record solver: l1, l2, coef and intercept of a path must agree in size");
    const PathRequest request{l1.data(), l2.data(), count, coef.data(), intercept.data()};
    return interruptible({tol, max_bins, max_seconds, {}},
                         [&](const Limits& limits) { return solver_.solve_path(request, limits); });
  }
  void set_threads(std::size_t threads) {
    require(threads >= 1, "record solver: n_threads must be at least 1");
    solver_.set_threads(threads);
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
  return std::make_unique<Session>(make_design(checked_dense(X)),
                                   Sides{y, sample_weight, penalty_weight, lower, upper, intercept},
                                   std::make_shared<Matrix<T>>(X), pool_bytes, solves);
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
      .def_ro("rough", &Report::rough)
      .def("values", &values, "Status, regime, primal, gap, target, passes, bins, seconds, sizes.")
      .def_prop_ro("phases", [](const Report& r) {
        return std::make_tuple(r.phases.pass, r.phases.gram, r.phases.pool, r.phases.residual);
      });
  nb::class_<Session>(m, "RecordSession", "A matrix, its pool and the last point of a solve.")
      .def("solve", &Session::solve, "l1"_a, "l2"_a, "tol"_a, "max_bins"_a, "max_seconds"_a)
      .def("solve_into", &Session::solve_into, "l1"_a, "l2"_a, "tol"_a, "max_bins"_a,
           "max_seconds"_a, "coef"_a, "Solve, fill coef; return the intercept and the values.")
      .def(
          "path",
          [](Session& self, Vector<double> l1, Vector<double> l2, double tol, std::size_t max_bins,
             Models coef, Table table) { self.path({l1, l2, coef, table}, tol, max_bins); },
          "l1"_a, "l2"_a, "tol"_a, "max_bins"_a, "coef"_a, "table"_a)
      .def("solve_path", &Session::solve_path, "l1"_a, "l2"_a, "tol"_a, "max_bins"_a,
           "max_seconds"_a, "coef"_a, "intercept"_a)
      .def("set_threads", &Session::set_threads, "threads"_a)
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
