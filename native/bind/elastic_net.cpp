// Bindings of the Lasso and elastic-net solver, its cross-validation folds and several responses.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "bind/fit_arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/matrices.hpp"
#include "bind/module.hpp"
#include "bind/reports.hpp"
#include "elastic_net/folds.hpp"
#include "elastic_net/given_gram.hpp"
#include "elastic_net/solver.hpp"
#include "elastic_net/targets.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {
namespace {

using elastic_net::ElasticNetSolver;
using elastic_net::FoldSet;
using elastic_net::TargetSet;
using Models = nb::ndarray<double, nb::ndim<2>, nb::f_contig, nb::device::cpu>;
using Square = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OptionalSquare = std::optional<Square>;

// The penalties of a path and the places for its models.
// tol, the aim below it where the work ends (0: at tol), and max_iter.
using PathLimits = std::tuple<double, double, double>;

struct PathArrays {
  Vector<double> l1, l2;
  Models coef;

  Reports run(ElasticNetSolver& solver, const PathLimits& wanted) const {
    const auto [tol, aim, max_iter] = wanted;
    const std::size_t count = l1.shape(0);
    require(l2.shape(0) == count && coef.shape(1) == count,
            "l1, l2 and coef of a path need one place per penalty");
    require(coef.shape(0) == solver.design().cols(), "coef needs one row per column of X");
    const elastic_net::PathRequest request{l1.data(), l2.data(), count, coef.data()};
    return Reports(
        interruptible({tol, max_iter, kInfinity, nullptr, aim},
                      [&](const Limits& limits) { return solver.solve_path(request, limits); }));
  }
};

// The columns, with the Gram matrix that the caller gave.
std::unique_ptr<Design> design_of(const Columns& X, const OptionalSquare& gram) {
  if (!gram) return X.design();
  require(gram->shape(0) == X.cols() && gram->shape(1) == X.cols(),
          "gram needs one row and one column per column of X");
  return std::make_unique<elastic_net::GivenGram>(X.design(), gram->data());
}

class ElasticNet {
 public:
  ElasticNet(ColumnsPointer X, const FitArrays& arrays, std::size_t pool_bytes, std::size_t solves,
             const OptionalSquare& gram)
      : X_(std::move(X)),
        arrays_(arrays),
        gram_(gram),
        solver_(design_of(*X_, gram_), arrays_.check_with_y(X_->rows(), X_->cols()), pool_bytes,
                {solves}) {}

  Report solve(double l1, double l2, double tol, double max_iter, double max_seconds, Output coef) {
    require(coef.shape(0) == X_->cols(), "coef needs one place per column of X");
    const Report report = interruptible({tol, max_iter, max_seconds}, [&](const Limits& limits) {
      return solver_.solve(l1, l2, limits);
    });
    solver_.coefficients(coef.data());
    return report;
  }
  Reports path(Vector<double> l1, Vector<double> l2, const PathLimits& limits, Models coef) {
    return PathArrays{l1, l2, coef}.run(solver_, limits);
  }
  void start_at(Vector<double> coef) {
    require(coef.shape(0) == X_->cols(), "a start needs one value per column of X");
    interruptible({}, [&](const Limits& limits) { solver_.set_point(coef.data(), limits); });
  }
  double largest_penalty() {
    return interruptible({}, [&](const Limits& limits) { return solver_.largest_penalty(limits); });
  }
  double null_objective() { return solver_.null_objective(); }
  // Correlations, squares and means of the columns, after the first pass; for tests.
  std::tuple<std::vector<double>, std::vector<double>, std::vector<double>> facts() {
    largest_penalty();
    const ColumnFacts& facts = solver_.bins().data().facts();
    return {facts.correlation, facts.square, facts.mean};
  }
  void gram(Vector<std::int32_t> columns, Output out) {
    const std::size_t size = columns.shape(0);
    require(out.shape(0) == size * size, "the Gram matrix needs size^2 places");
    for (std::size_t t = 0; t < size; ++t)
      require(columns.data()[t] >= 0 && static_cast<std::size_t>(columns.data()[t]) < X_->cols(),
              "a column is outside X");
    solver_.gram({columns.data(), columns.data() + size}, out.data());
  }

 private:
  ColumnsPointer X_;
  FitArrays arrays_;
  OptionalSquare gram_;
  ElasticNetSolver solver_;
};

// The rows of every test fold, from the number of the fold that each row is tested in.
FoldSet::Rows rows_of_folds(const Vector<std::int32_t>& fold_of_row, std::size_t rows) {
  require(fold_of_row.shape(0) == rows, "folds: one fold per row of X is needed");
  FoldSet::Rows out;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int32_t f = fold_of_row.data()[i];
    require(f >= 0 && static_cast<std::size_t>(f) < rows, "folds: no such fold");
    if (out.size() <= static_cast<std::size_t>(f)) out.resize(f + 1);
    out[f].push_back(static_cast<Index>(i));
  }
  require(out.size() >= 2, "folds: at least two folds are needed");
  for (const auto& fold : out) require(!fold.empty(), "folds: a fold has no rows");
  return out;
}

class ElasticNetFolds {
 public:
  ElasticNetFolds(ColumnsPointer X, const FitArrays& arrays,
                  const Vector<std::int32_t>& fold_of_row, std::size_t pool_bytes)
      : X_(std::move(X)), arrays_(arrays) {
    const FitData data = arrays_.check_with_y(X_->rows(), X_->cols());
    FoldSet::Rows rows = rows_of_folds(fold_of_row, X_->rows());
    set_ = watched(kInfinity, [&](Watch& watch) {
      return std::make_unique<FoldSet>([columns = X_] { return columns->design(); }, data,
                                       std::move(rows), pool_bytes, watch);
    });
  }
  Reports path(std::size_t fold, Vector<double> l1, Vector<double> l2, const PathLimits& limits,
               Models coef) const {
    require(fold <= set_->count(), "folds: no such fold");
    const std::unique_ptr<ElasticNetSolver> solver = set_->solver(fold, l1.shape(0));
    return PathArrays{l1, l2, coef}.run(*solver, limits);
  }
  std::size_t errors(std::size_t fold, Models coef, Vector<double> intercept, Output out) const {
    require(fold < set_->count(), "folds: no such fold");
    require(coef.shape(0) == set_->cols(), "coef needs one row per column of X");
    require(coef.shape(1) == intercept.shape(0) && coef.shape(1) == out.shape(0),
            "intercept and out need one place per model");
    return watched(kInfinity, [&](Watch& watch) {
      return set_->errors(fold, {coef.data(), intercept.data(), coef.shape(1)}, out.data(), watch);
    });
  }
  double largest_penalty() const {
    return interruptible({}, [&](const Limits& limits) {
      return set_->solver(set_->count(), 1)->largest_penalty(limits);
    });
  }
  // Whether the shared Gram matrices pay for that many penalties and fit into the memory allowed.
  static bool pays(const Columns& X, std::size_t folds, std::size_t penalties,
                   std::size_t pool_bytes) {
    return FoldSet::pays({X.rows(), X.cols(), X.entries(), X.sparse()}, folds, penalties,
                         pool_bytes);
  }

 private:
  ColumnsPointer X_;
  FitArrays arrays_;
  std::unique_ptr<FoldSet> set_;
};

class ElasticNetTargets {
 public:
  ElasticNetTargets(ColumnsPointer X, const FitArrays& arrays, std::size_t targets,
                    std::size_t pool_bytes)
      : X_(std::move(X)), arrays_(arrays) {
    const FitData data = arrays_.check(X_->rows(), X_->cols());
    set_ = watched(kInfinity, [&](Watch& watch) {
      return std::make_unique<TargetSet>([columns = X_] { return columns->design(); }, data,
                                         targets, pool_bytes, watch);
    });
  }
  Reports path(Vector<double> y, OptionalVector start, Vector<double> l1, Vector<double> l2,
               const PathLimits& limits, Models coef) const {
    require(y.shape(0) == X_->rows(), "y needs one value per row of X");
    const double* first = optional_data(start, X_->cols(), "a start needs one value per column");
    const std::unique_ptr<ElasticNetSolver> solver = set_->solver(y.data());
    if (first) interruptible({}, [&](const Limits& inner) { solver->set_point(first, inner); });
    return PathArrays{l1, l2, coef}.run(*solver, limits);
  }
  bool shares_gram() const { return set_->shares_gram(); }

 private:
  ColumnsPointer X_;
  FitArrays arrays_;
  std::unique_ptr<TargetSet> set_;
};

}  // namespace
}  // namespace banditcd::bind

void bind_elastic_net(nb::module_& m) {
  using namespace banditcd;
  using namespace banditcd::bind;
  nb::class_<ElasticNet>(m, "ElasticNet", "A matrix, its pool and the last point of a solve.")
      .def(nb::init<ColumnsPointer, const FitArrays&, std::size_t, std::size_t,
                    const OptionalSquare&>(),
           "X"_a, "data"_a, "pool_bytes"_a, "solves"_a, "gram"_a = nb::none())
      .def("solve", &ElasticNet::solve, "l1"_a, "l2"_a, "tol"_a, "max_iter"_a, "max_seconds"_a,
           "coef"_a, "Solve for one penalty and fill coef.")
      .def("path", &ElasticNet::path, "l1"_a, "l2"_a, "limits"_a, "coef"_a,
           "Solve for one penalty after another; coef has one column for each.")
      .def("start_at", &ElasticNet::start_at, "coef"_a)
      .def("largest_penalty", &ElasticNet::largest_penalty)
      .def_prop_ro("null_objective", &ElasticNet::null_objective)
      .def("facts", &ElasticNet::facts)
      .def("gram", &ElasticNet::gram, "columns"_a, "out"_a);
  nb::class_<ElasticNetFolds>(m, "ElasticNetFolds",
                              "Folds of a cross-validation that share a Gram matrix.")
      .def(nb::init<ColumnsPointer, const FitArrays&, const Vector<std::int32_t>&, std::size_t>(),
           "X"_a, "data"_a, "fold_of_row"_a, "pool_bytes"_a)
      .def("path", &ElasticNetFolds::path, "fold"_a, "l1"_a, "l2"_a, "limits"_a, "coef"_a)
      .def("errors", &ElasticNetFolds::errors, "fold"_a, "coef"_a, "intercept"_a, "out"_a)
      .def("largest_penalty", &ElasticNetFolds::largest_penalty)
      .def_static("pays", &ElasticNetFolds::pays, "X"_a, "folds"_a, "penalties"_a, "pool_bytes"_a);
  nb::class_<ElasticNetTargets>(m, "ElasticNetTargets", "Many responses to one matrix.")
      .def(nb::init<ColumnsPointer, const FitArrays&, std::size_t, std::size_t>(), "X"_a, "data"_a,
           "targets"_a, "pool_bytes"_a)
      .def("path", &ElasticNetTargets::path, "y"_a, "start"_a.none(), "l1"_a, "l2"_a, "limits"_a,
           "coef"_a)
      .def_prop_ro("shares_gram", &ElasticNetTargets::shares_gram);
}
