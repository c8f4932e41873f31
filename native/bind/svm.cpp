// Bindings of support vector classification and regression.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bind/fit_arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/matrices.hpp"
#include "bind/module.hpp"
#include "svm/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {
namespace {

// Rows of a classification, or paired ones of a regression (epsilon not negative).
svm::Rows make_svm_rows(const Rows& X, const FitArrays& arrays, double constant, double epsilon,
                        std::size_t pool_bytes) {
  require(std::isfinite(epsilon), "epsilon must be finite");
  const bool labels = epsilon < 0.0;
  const FitData data = labels ? arrays.check_with_signs(X.rows(), X.cols())
                              : arrays.check_with_y(X.rows(), X.cols());
  return std::visit(
      [&](const auto& x) {
        if (labels) return svm::make_rows(x, data.y, constant, {X.threads(), pool_bytes});
        return svm::make_paired(x, {data.y, epsilon}, constant, {X.threads(), pool_bytes});
      },
      X.transposed());
}

class Svm {
 public:
  // intercept: the value of its feature, 0 for none, and whether it is free of penalty.
  Svm(RowsPointer X, const FitArrays& arrays, svm::Loss loss, std::tuple<double, bool> intercept,
      double epsilon, std::size_t pool_bytes)
      : X_(std::move(X)),
        arrays_(arrays),
        solver_(
            make_svm_rows(*X_, arrays_, std::get<0>(intercept), epsilon, pool_bytes),
            {loss, std::get<1>(intercept), arrays_.check(X_->rows(), X_->cols()).sample_weight}) {}

  // weights: one place per column, then the intercept's feature if there is one.
  // limits: tol, max_iter, max_seconds, and the share of the objective that the gap may be.
  Report solve(double C, std::tuple<double, double, double, double> limits, Output weights) {
    require(weights.shape(0) == solver_.rows().dim(),
            "weights need one place per column, and the intercept's");
    const auto [tol, max_iter, max_seconds, of_objective] = limits;
    const double share = of_objective;
    const Report report = interruptible({tol, max_iter, max_seconds}, [&](const Limits& limits) {
      return solver_.solve(C, limits, share);
    });
    fill(weights, solver_.weights());
    return report;
  }
  double null_objective(double C) { return solver_.null_objective(C); }
  std::tuple<double, double> null_model(double C) {
    const svm::Constant found = solver_.null_model(C);
    return {found.value, found.objective};
  }
  void force_regime(const std::string& name) {
    solver_.force_regime(regime_named(svm::kRegimes, name));
  }
  void start_at(Vector<double> dual) {
    require(dual.shape(0) == solver_.rows().count(), "a start needs one value per dual variable");
    solver_.set_duals(dual.data());
  }
  void duals(Output out) const {
    require(out.shape(0) == solver_.duals().size(), "one place per dual variable is needed");
    fill(out, solver_.duals());
  }

 private:
  RowsPointer X_;
  FitArrays arrays_;
  svm::SvmSolver solver_;
};

}  // namespace
}  // namespace banditcd::bind

void bind_svm(nb::module_& m) {
  using namespace banditcd::bind;
  using banditcd::svm::Loss;
  nb::enum_<Loss>(m, "SvmLoss")
      .value("hinge", Loss::kHinge)
      .value("squared_hinge", Loss::kSquaredHinge);
  nb::class_<Svm>(m, "Svm", "Rows, labels or responses, and the last point of a solve.")
      .def(nb::init<RowsPointer, const FitArrays&, Loss, std::tuple<double, bool>, double,
                    std::size_t>(),
           "X"_a, "data"_a, "loss"_a, "intercept"_a, "epsilon"_a, "pool_bytes"_a)
      .def("solve", &Svm::solve, "C"_a, "limits"_a, "weights"_a,
           "Solve for one C and fill the weights.")
      .def("force_regime", &Svm::force_regime, "name"_a)
      .def("null_objective", &Svm::null_objective, "C"_a)
      .def("null_model", &Svm::null_model, "C"_a, "The best constant and its objective.")
      .def("start_at", &Svm::start_at, "dual"_a)
      .def("duals", &Svm::duals, "out"_a);
}
