// Bindings of the parts that ridge regression is put together from.
#include "ridge/ridge.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "bind/gil.hpp"
#include "bind/interrupt.hpp"
#include "bind/matrices.hpp"
#include "bind/module.hpp"
#include "kernels/cholesky.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {
namespace {

// X with weights and, if there is an intercept, the means of its columns.
class RidgeData {
 public:
  RidgeData(RowsPointer X, OptionalVector weight, OptionalVector mean)
      : X_(std::move(X)), weight_(std::move(weight)), mean_(std::move(mean)) {
    view_.X = &X_->matrix();
    view_.weight = optional_data(weight_, X_->rows(), "one weight per row is needed");
    view_.mean = optional_data(mean_, X_->cols(), "one mean per column is needed");
  }

  // residual = y - b - X w and correlation = X^T dual (S residual without one), in one pass.
  std::pair<double, double> residual(Vector<double> y, std::pair<Vector<double>, double> model,
                                     OptionalVector dual, Output residual,
                                     Output correlation) const {
    require_rows(y.shape(0));
    require_rows(residual.shape(0));
    require_cols(model.first.shape(0));
    require_cols(correlation.shape(0));
    const ridge::RidgePoint point{
        y.data(), model.first.data(), model.second,
        optional_data(dual, X_->rows(), "one dual variable per row is needed")};
    const ridge::RidgeSums sums = watched(kInfinity, [&](Watch& watch) {
      return ridge::ridge_residual(view_, point, residual.data(), correlation.data(), watch);
    });
    return {sums.loss, sums.excess};
  }
  // Intercept, objective, gap, the null model's objective and the steps; none if the coefficients
  // were not proved to be exact, nor the gap to be at most that share of the null model's
  // objective.
  std::optional<std::tuple<double, double, double, double, int>> small(Vector<double> y,
                                                                       double lambda, double enough,
                                                                       Output w) const {
    require_rows(y.shape(0));
    require_cols(w.shape(0));
    const ridge::SmallFit fit = watched(kInfinity, [&](Watch& watch) {
      return ridge::small_ridge(view_, y.data(), lambda, enough, w.data(), watch);
    });
    if (!fit.done) return std::nullopt;
    return std::make_tuple(fit.intercept, fit.primal, fit.gap, fit.null, fit.steps);
  }
  // stop: lambda, the squared gradient and the decrease wanted, the most readings of X, and whether
  // there is no preconditioner. heavy: some of the rows, with the same means. arms: asked whether
  // to go on.
  std::size_t conjugate_gradients(std::tuple<double, double, double, std::size_t, bool> stop,
                                  const RidgeData* heavy, Output gradient, Output w,
                                  double max_seconds, Arms* arms) const {
    require_cols(gradient.shape(0));
    require_cols(w.shape(0));
    if (heavy) require_cols(heavy->X_->cols());
    return watched(max_seconds, [&](Watch& watch) {
      const auto& [lambda, square, decrease, max_products, plain] = stop;
      return ridge::ridge_conjugate_gradients(view_, heavy ? &heavy->view_ : nullptr,
                                              {lambda, square, decrease, max_products, plain, arms},
                                              gradient.data(), w.data(), watch);
    });
  }
  // stop: lambda, the gap and the reduction wanted, the most readings of X, the arms that are asked
  // whether to go on, and whether products may read a copy in single precision.
  std::size_t race(std::tuple<double, double, double, std::size_t, Arms*, bool> stop,
                   std::pair<Output, Output> gradient_and_w, Vector<double> rho, Output dual,
                   double max_seconds) const {
    const auto& [gradient, w] = gradient_and_w;
    require_cols(gradient.shape(0));
    require_cols(w.shape(0));
    require_rows(rho.shape(0));
    require_rows(dual.shape(0));
    require(std::get<Arms*>(stop) != nullptr, "a race needs arms");
    return watched(max_seconds, [&, &gradient = gradient, &w = w](Watch& watch) {
      const auto& [lambda, gap, reduction, max_products, arms, rounded] = stop;
      return ridge::ridge_race(view_, {lambda, gap, reduction, max_products, *arms, rounded},
                               gradient.data(), w.data(), rho.data(), dual.data(), watch);
    });
  }

 private:
  void require_rows(std::size_t size) const {
    require(size == X_->rows(), "one value per row of X is needed");
  }
  void require_cols(std::size_t size) const {
    require(size == X_->cols(), "one value per column of X is needed");
  }

  RowsPointer X_;
  OptionalVector weight_, mean_;
  ridge::RidgeRows view_;
};

// A factored symmetric matrix. Copies the lower triangle of H and adds to the diagonal.
class Factor {
 public:
  using Symmetric = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  Factor(Symmetric H, double ridge, double pivot) {
    const std::size_t size = H.shape(0), stride = H.shape(1);
    require(stride >= size, "a symmetric matrix needs as many columns as rows");
    good_ = watched(kInfinity, [&](Watch& watch) {
      cholesky_.resize(size);
      for (std::size_t i = 0; i < size; ++i) {
        const double* from = H.data() + i * stride;
        std::copy(from, from + i + 1, cholesky_.row(i));
        cholesky_.row(i)[i] += ridge;
      }
      return cholesky_.factor(pivot, watch);
    });
  }
  bool good() const { return good_; }
  void solve(Output b) const {
    require(good_ && b.shape(0) == cholesky_.size(), "cannot solve with this factor");
    GilReleased release;
    cholesky_.solve(b.data());
  }

 private:
  Cholesky cholesky_;
  bool good_ = false;
};

}  // namespace
}  // namespace banditcd::bind

void bind_ridge(nb::module_& m) {
  using namespace banditcd;
  using namespace banditcd::bind;
  nb::class_<RidgeData>(m, "RidgeData", "Rows with weights and column means.")
      .def(nb::init<RowsPointer, OptionalVector, OptionalVector>(), "X"_a, "weight"_a.none(),
           "mean"_a.none())
      .def("residual", &RidgeData::residual, "y"_a, "model"_a, "dual"_a.none(), "residual"_a,
           "correlation"_a)
      .def("small", &RidgeData::small, "y"_a, "penalty"_a, "enough"_a, "w"_a)
      .def("conjugate_gradients", &RidgeData::conjugate_gradients, "stop"_a, "heavy"_a.none(),
           "gradient"_a, "w"_a, "max_seconds"_a, "arms"_a.none())
      .def("race", &RidgeData::race, "stop"_a, "gradient_and_w"_a, "rho"_a, "dual"_a,
           "max_seconds"_a);
  nb::class_<Factor>(m, "Factor", "A Cholesky factor of H + ridge I.")
      .def(nb::init<Factor::Symmetric, double, double>(), "H"_a, "ridge"_a, "pivot"_a)
      .def("solve", &Factor::solve, "b"_a)
      .def_prop_ro("good", &Factor::good);
}
