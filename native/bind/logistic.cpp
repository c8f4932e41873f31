// Bindings of the record solver for the logistic loss. Shapes are checked here, before any native
// code sees memory.
#include <nanobind/stl/unique_ptr.h>

#include <functional>
#include <memory>
#include <tuple>

#include "bind/module.hpp"
#include "bind/record_inputs.hpp"
#include "logistic/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;
using logistic::LogisticSolver;
using record::Design;

namespace {

using MakeDesign = std::function<std::unique_ptr<Design>()>;

void require_signs(const Vector<double>& y) {
  for (std::size_t i = 0; i < y.shape(0); ++i)
    require(y.data()[i] == 1.0 || y.data()[i] == -1.0,
            "logistic record solver: every y must be -1 or +1");
}

// Runs work(limits) without the GIL. Ctrl-C is noticed about every 50 ms of it and raised here.
template <class F>
auto interruptible(F&& work) {
  bool signalled = false;
  record::Limits limits;
  limits.should_stop = [&signalled] {
    nb::gil_scoped_acquire gil;
    signalled = PyErr_CheckSignals() != 0;
    return signalled;
  };
  const auto run = [&] {
    nb::gil_scoped_release release;
    return work(limits);
  };
  const auto out = run();
  if (signalled) throw nb::python_error();
  return out;
}

// Named apart from the other sessions: nanobind tells types apart by name.
class LogisticSession {
 public:
  // make_design borrows X and keeps it alive.
  LogisticSession(MakeDesign make_design, Sides sides, std::size_t pool_bytes,
                  logistic::Norms norms)
      : make_design_(std::move(make_design)),
        sides_(std::move(sides)),
        pool_bytes_(pool_bytes),
        solver_(create(std::move(norms))) {}

  record::Report solve(double l1, double l2, double tol, std::size_t max_bins, double max_seconds) {
    return interruptible([&](record::Limits limits) {
      limits.tol = tol;
      limits.max_bins = max_bins;
      limits.max_seconds = max_seconds;
      return solver_->solve(l1, l2, limits);
    });
  }
  void start_at(Vector<double> coef, double intercept) {
    require(coef.shape(0) == solver_->coefficients().size(),
            "record solver: a start needs one value per column of X");
    nb::gil_scoped_release release;
    solver_->set_point(coef.data(), intercept, {});
  }
  double largest_penalty() {
    return interruptible(
        [&](const record::Limits& limits) { return solver_->largest_penalty(limits); });
  }
  void coefficients(Output out) const {
    const std::vector<double>& coef = solver_->coefficients();
    require(out.shape(0) == coef.size(),
            "record solver: coefficients need one place per column of X");
    std::copy(coef.begin(), coef.end(), out.data());
  }
  double intercept() const { return solver_->intercept(); }
  double null_objective() const { return solver_->null_objective(); }
  // The same X and options with other labels and row weights; what is known of X is shared.
  std::unique_ptr<LogisticSession> with_labels(Vector<double> y, Optional sample_weight) const {
    Sides sides = sides_;
    sides.y = y;
    sides.sample_weight = sample_weight;
    return std::make_unique<LogisticSession>(make_design_, std::move(sides), pool_bytes_,
                                             solver_->norms());
  }

 private:
  std::unique_ptr<LogisticSolver> create(logistic::Norms norms) const {
    std::unique_ptr<Design> design = make_design_();
    const record::Data data = sides_.check(design->rows(), design->cols());
    require_signs(sides_.y);
    return std::make_unique<LogisticSolver>(std::move(design), data, pool_bytes_, std::move(norms));
  }

  MakeDesign make_design_;
  Sides sides_;
  std::size_t pool_bytes_;
  std::unique_ptr<LogisticSolver> solver_;
};

template <class T>
std::unique_ptr<LogisticSession> dense_session(Matrix<T> X, Vector<double> y,
                                               Optional sample_weight, Optional penalty_weight,
                                               Optional lower, Optional upper, bool intercept,
                                               std::size_t pool_bytes) {
  return std::make_unique<LogisticSession>(
      [X] { return record::make_design(checked_dense(X)); },
      Sides{y, sample_weight, penalty_weight, lower, upper, intercept}, pool_bytes, nullptr);
}

template <class T>
std::unique_ptr<LogisticSession> sparse_session(Vector<T> value, Vector<std::int32_t> row,
                                                Vector<std::int64_t> start, std::size_t rows,
                                                Vector<double> y, Optional sample_weight,
                                                Optional penalty_weight, Optional lower,
                                                Optional upper, bool intercept,
                                                std::size_t pool_bytes) {
  const CscColumns<T> columns = checked_csc(value, row, start, rows);
  return std::make_unique<LogisticSession>(
      // The arrays are captured to keep them alive.
      [columns, value, row, start] { return record::make_design(columns); },
      Sides{y, sample_weight, penalty_weight, lower, upper, intercept}, pool_bytes, nullptr);
}

template <class T>
void bind_sessions(nb::module_& m) {
  m.def("logistic_dense", &dense_session<T>, "X"_a, "y"_a, "sample_weight"_a.none(),
        "penalty_weights"_a.none(), "lower"_a.none(), "upper"_a.none(), "intercept"_a,
        "pool_bytes"_a);
  m.def("logistic_sparse", &sparse_session<T>, "data"_a, "indices"_a, "indptr"_a, "rows"_a, "y"_a,
        "sample_weight"_a.none(), "penalty_weights"_a.none(), "lower"_a.none(), "upper"_a.none(),
        "intercept"_a, "pool_bytes"_a);
}

}  // namespace

void bind_logistic(nb::module_& m) {
  nb::class_<LogisticSession>(m, "LogisticSession",
                              "A matrix, its labels and the last point of a solve.")
      .def("solve", &LogisticSession::solve, "l1"_a, "l2"_a, "tol"_a, "max_bins"_a, "max_seconds"_a)
      .def("start_at", &LogisticSession::start_at, "coef"_a, "intercept"_a)
      .def("with_labels", &LogisticSession::with_labels, "y"_a, "sample_weight"_a.none())
      .def("coefficients", &LogisticSession::coefficients, "out"_a)
      .def("largest_penalty", &LogisticSession::largest_penalty)
      .def_prop_ro("intercept", &LogisticSession::intercept)
      .def_prop_ro("null_objective", &LogisticSession::null_objective);
  bind_sessions<double>(m);
  bind_sessions<float>(m);
}
