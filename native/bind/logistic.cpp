// Bindings of logistic regression: with an L1 part (Logistic), and without one (L2Logistic).
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <string>

#include "bind/fit_arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/matrices.hpp"
#include "bind/module.hpp"
#include "l2_logistic/solver.hpp"
#include "logistic/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {
namespace {

class Logistic {
 public:
  // norms: what another session on the same X knows of it, or null.
  Logistic(ColumnsPointer X, const FitArrays& arrays, std::size_t pool_bytes, logistic::Norms norms,
           logistic::LossKind loss)
      : X_(std::move(X)),
        arrays_(arrays),
        pool_bytes_(pool_bytes),
        loss_(loss),
        solver_(X_->design(), arrays_.check_with_signs(X_->rows(), X_->cols()), pool_bytes,
                std::move(norms), loss) {}

  Report solve(double l1, double l2, double tol, double max_iter, double max_seconds, Output coef) {
    require(coef.shape(0) == X_->cols(), "coef needs one place per column of X");
    const Report report = interruptible({tol, max_iter, max_seconds}, [&](const Limits& limits) {
      return solver_.solve(l1, l2, limits);
    });
    fill(coef, solver_.coefficients());
    return report;
  }
  void start_at(Vector<double> coef, double intercept) {
    require(coef.shape(0) == X_->cols(), "a start needs one value per column of X");
    interruptible({},
                  [&](const Limits& limits) { solver_.set_point(coef.data(), intercept, limits); });
  }
  double largest_penalty() {
    return interruptible({}, [&](const Limits& limits) { return solver_.largest_penalty(limits); });
  }
  double null_objective() const { return solver_.null_objective(); }
  // The same X and options with other labels and row weights; what is known of X is shared.
  std::unique_ptr<Logistic> with_labels(Vector<double> y, OptionalVector sample_weight) const {
    FitArrays arrays = arrays_;
    arrays.y = y;
    arrays.sample_weight = sample_weight;
    return std::make_unique<Logistic>(X_, arrays, pool_bytes_, solver_.norms(), loss_);
  }

 private:
  ColumnsPointer X_;
  FitArrays arrays_;
  std::size_t pool_bytes_;
  logistic::LossKind loss_;
  logistic::LogisticSolver solver_;
};

class L2Logistic {
 public:
  L2Logistic(RowsPointer X, const FitArrays& arrays)
      : X_(std::move(X)), arrays_(arrays), solver_(problem()) {}

  Report solve(double l2, double tol, double max_iter, double max_seconds, Output coef) {
    require(coef.shape(0) == X_->cols(), "coef needs one place per column of X");
    const Report report = interruptible({tol, max_iter, max_seconds}, [&](const Limits& limits) {
      return solver_.solve(l2, limits);
    });
    fill(coef, solver_.coef());
    return report;
  }
  void start_at(Vector<double> coef, double intercept) {
    require(coef.shape(0) == X_->cols(), "a start needs one value per column of X");
    solver_.start_at(coef.data(), intercept);
  }
  bool was_carried() const { return solver_.was_carried(); }
  void carried(Output out) const {
    require(
        out.shape(0) == solver_.carried().size(),
        "there is a carried dual point after a solve that it certified, with one value per row");
    fill(out, solver_.carried());
  }
  void force_regime(const std::string& name) {
    solver_.force_regime(regime_named(l2_logistic::kRegimes, name));
  }

 private:
  l2_logistic::Problem problem() const {
    const FitData data = arrays_.check_with_signs(X_->rows(), X_->cols());
    return {&X_->matrix(), data.y, data.sample_weight, data.penalty_weight, data.intercept};
  }

  RowsPointer X_;
  FitArrays arrays_;
  l2_logistic::L2Logistic solver_;
};

}  // namespace
}  // namespace banditcd::bind

void bind_logistic(nb::module_& m) {
  using namespace banditcd;
  using namespace banditcd::bind;
  nb::class_<Logistic>(m, "Logistic", "A matrix, its labels and the last point of a solve.")
      .def(
          "__init__",
          [](Logistic* self, ColumnsPointer X, const FitArrays& data, std::size_t pool_bytes,
             bool squared_hinge) {
            const auto loss =
                squared_hinge ? logistic::LossKind::kSquaredHinge : logistic::LossKind::kLogistic;
            new (self) Logistic(std::move(X), data, pool_bytes, nullptr, loss);
          },
          "X"_a, "data"_a, "pool_bytes"_a, "squared_hinge"_a = false)
      .def("solve", &Logistic::solve, "l1"_a, "l2"_a, "tol"_a, "max_iter"_a, "max_seconds"_a,
           "coef"_a, "Solve for one penalty and fill coef.")
      .def("start_at", &Logistic::start_at, "coef"_a, "intercept"_a)
      .def("with_labels", &Logistic::with_labels, "y"_a, "sample_weight"_a.none())
      .def("largest_penalty", &Logistic::largest_penalty)
      .def_prop_ro("null_objective", &Logistic::null_objective);
  nb::class_<bind::L2Logistic>(m, "L2Logistic", "Rows, labels and the last point of a solve.")
      .def(nb::init<RowsPointer, const FitArrays&>(), "X"_a, "data"_a)
      .def("solve", &bind::L2Logistic::solve, "l2"_a, "tol"_a, "max_iter"_a, "max_seconds"_a,
           "coef"_a, "Solve for one penalty and fill coef.")
      .def("start_at", &bind::L2Logistic::start_at, "coef"_a, "intercept"_a)
      .def_prop_ro("was_carried", &bind::L2Logistic::was_carried)
      .def("carried", &bind::L2Logistic::carried, "out"_a)
      .def("force_regime", &bind::L2Logistic::force_regime, "name"_a);
}
