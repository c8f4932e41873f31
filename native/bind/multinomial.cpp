// Bindings of multinomial logistic regression.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bind/fit_arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/matrices.hpp"
#include "bind/module.hpp"
#include "multinomial/l2_solver.hpp"
#include "multinomial/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {
namespace {

// y as labels 0, 1, ..., classes - 1, and the problem over them.
class ClassLabels {
 public:
  ClassLabels(const FitArrays& arrays, std::size_t rows, std::size_t cols, std::size_t classes)
      : arrays_(arrays), label_(rows) {
    require(classes >= 2, "there must be at least two classes");
    const FitData data = arrays_.check_with_y(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
      const double y = data.y[i];
      require(y >= 0.0 && y < static_cast<double>(classes) &&
                  y == static_cast<double>(static_cast<std::int32_t>(y)),
              "every y must be the number of a class");
      label_[i] = static_cast<std::int32_t>(y);
    }
    problem_.rows = {label_.data(), data.sample_weight, rows, classes, class_width(classes)};
    problem_.cols = cols;
    problem_.intercept = data.intercept;
    problem_.penalty.weight = data.penalty_weight;
    problem_.penalty.lower = data.lower;
    problem_.penalty.upper = data.upper;
  }
  ClassLabels(const ClassLabels&) = delete;  // the problem refers to label_
  ClassLabels& operator=(const ClassLabels&) = delete;
  const multinomial::Problem& problem() const { return problem_; }
  void check(std::size_t coef, std::size_t intercept) const {
    require(coef == problem_.classes() * problem_.cols && intercept == problem_.classes(),
            "coef needs one value per class and column of X, intercept one per class");
  }

 private:
  FitArrays arrays_;
  std::vector<std::int32_t> label_;
  multinomial::Problem problem_;
};

class L2Multinomial {
 public:
  L2Multinomial(RowsPointer X, const FitArrays& arrays, std::size_t classes)
      : X_(std::move(X)),
        labels_(arrays, X_->rows(), X_->cols(), classes),
        solver_(X_->matrix(), labels_.problem()) {}

  Report solve(double l2, double tol, double max_iter, double max_seconds, Output coef,
               Output intercept) {
    labels_.check(coef.shape(0), intercept.shape(0));
    const Report report = interruptible({tol, max_iter, max_seconds}, [&](const Limits& limits) {
      return solver_.solve(l2, limits);
    });
    solver_.write(coef.data(), intercept.data());
    return report;
  }
  void start_at(Vector<double> coef, Vector<double> intercept) {
    labels_.check(coef.shape(0), intercept.shape(0));
    solver_.start_at(coef.data(), intercept.data());
  }
  void force_regime(const std::string& name) {
    using multinomial::Preconditioning;
    constexpr Preconditioning kinds[] = {Preconditioning::kDiagonal, Preconditioning::kShared,
                                         Preconditioning::kBlocks, Preconditioning::kCoupled,
                                         Preconditioning::kMemory};
    solver_.force(regime_named(kinds, name));
  }

 private:
  RowsPointer X_;
  ClassLabels labels_;
  multinomial::L2Multinomial solver_;
};

class Multinomial {
 public:
  Multinomial(ColumnsPointer X, const FitArrays& arrays, std::size_t classes,
              std::size_t pool_bytes)
      : X_(std::move(X)),
        labels_(arrays, X_->rows(), X_->cols(), classes),
        solver_(X_->class_columns(), labels_.problem(), pool_bytes) {}

  Report solve(double l1, double l2, double tol, double max_iter, double max_seconds, Output coef,
               Output intercept) {
    labels_.check(coef.shape(0), intercept.shape(0));
    const Report report = interruptible({tol, max_iter, max_seconds}, [&](const Limits& limits) {
      return solver_.solve(l1, l2, limits);
    });
    solver_.write(coef.data(), intercept.data());
    return report;
  }
  void start_at(Vector<double> coef, Vector<double> intercept) {
    labels_.check(coef.shape(0), intercept.shape(0));
    solver_.start_at(coef.data(), intercept.data());
  }
  double largest_penalty() {
    return interruptible({}, [&](const Limits& limits) { return solver_.largest_penalty(limits); });
  }
  void force_regime(const std::string& name) {
    require(name == "pool" || name == "residual", "the regimes are pool and residual");
    solver_.force(name == "pool");
  }

 private:
  ColumnsPointer X_;
  ClassLabels labels_;
  multinomial::Multinomial solver_;
};

}  // namespace
}  // namespace banditcd::bind

void bind_multinomial(nb::module_& m) {
  using namespace banditcd;
  using namespace banditcd::bind;
  nb::class_<bind::L2Multinomial>(m, "L2Multinomial",
                                  "Rows, classes and the last point of a solve.")
      .def(nb::init<RowsPointer, const FitArrays&, std::size_t>(), "X"_a, "data"_a, "classes"_a)
      .def("solve", &bind::L2Multinomial::solve, "l2"_a, "tol"_a, "max_iter"_a, "max_seconds"_a,
           "coef"_a, "intercept"_a, "Solve for one penalty and fill coef and intercept.")
      .def("start_at", &bind::L2Multinomial::start_at, "coef"_a, "intercept"_a)
      .def("force_regime", &bind::L2Multinomial::force_regime, "name"_a);
  nb::class_<bind::Multinomial>(m, "Multinomial", "Columns, classes and the last point of a solve.")
      .def(nb::init<ColumnsPointer, const FitArrays&, std::size_t, std::size_t>(), "X"_a, "data"_a,
           "classes"_a, "pool_bytes"_a)
      .def("solve", &bind::Multinomial::solve, "l1"_a, "l2"_a, "tol"_a, "max_iter"_a,
           "max_seconds"_a, "coef"_a, "intercept"_a,
           "Solve for one penalty and fill coef and intercept.")
      .def("start_at", &bind::Multinomial::start_at, "coef"_a, "intercept"_a)
      .def("largest_penalty", &bind::Multinomial::largest_penalty)
      .def("force_regime", &bind::Multinomial::force_regime, "name"_a);
}
