// Bindings of the record solver for the logistic loss. Shapes are checked here, before any native
// code sees memory.
#include <nanobind/stl/unique_ptr.h>

#include <functional>
#include <memory>
#include <tuple>

#include "bind/module.hpp"
#include "bind/record_paths.hpp"
#include "logistic/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;
using namespace banditcd::bind;
using logistic::LogisticSolver;
using record::Design;

namespace {

using MakeDesign = std::function<std::unique_ptr<Design>()>;

void require_signs(const Vector<double>& y) {
  for (std::size_t i = 0; i < y.shape(0); ++i)
    require(y.data()[i] == 1.0 || y.data()[i] == -1.0,
            "logistic record solver: every y must be -1 or +1");
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
    return interruptible({tol, max_bins, max_seconds, {}}, [&](const record::Limits& limits) {
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
        {}, [&](const record::Limits& limits) { return solver_->largest_penalty(limits); });
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

// The Gram matrix of all columns with row weights, for its own test against plain NumPy.
void weighted_gram(Vector<double> value, Vector<std::int32_t> row, Vector<std::int64_t> start,
                   std::size_t rows, Vector<double> weight, bool thinned,
                   nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> out) {
  const std::unique_ptr<Design> design = record::make_design(checked_csc(value, row, start, rows));
  const std::size_t size = design->cols();
  require(weight.shape(0) == rows && out.shape(0) == size && out.shape(1) == size,
          "record_weighted_gram: weight needs one value per row, out is square in the columns");
  nb::gil_scoped_release release;
  record::Rowspace space;
  space.rows = rows;
  space.weight = weight.data();
  space.thinned = thinned;
  const std::vector<double> mean(size, 0.0);
  std::vector<record::Index> column(size);
  for (std::size_t j = 0; j < size; ++j) column[j] = static_cast<record::Index>(j);
  record::Watch watch(std::numeric_limits<double>::infinity(), {});
  design->append_gram(space, mean.data(), {column.data(), 0, size, out.data(), size}, watch);
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
  m.def("record_weighted_gram", &weighted_gram, "data"_a, "indices"_a, "indptr"_a, "rows"_a,
        "weight"_a, "thinned"_a, "out"_a);
  bind_sessions<double>(m);
  bind_sessions<float>(m);
}
