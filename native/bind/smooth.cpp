// Bindings of the smooth solvers. Shapes are checked here, before any native code sees memory.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bind/module.hpp"
#include "record/cholesky.hpp"
#include "smooth/cost_model.hpp"
#include "smooth/logistic.hpp"
#include "smooth/ridge.hpp"
#include "smooth/row_matrix.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd::smooth;

namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Optional = std::optional<Vector<double>>;
using Output = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Square = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}
const double* side(const Optional& v, std::size_t size, const char* message) {
  require(!v || v->shape(0) == size, message);
  return v ? v->data() : nullptr;
}

// Runs native work without the GIL; Ctrl-C is noticed about every 50 ms and raised here.
template <class Work>
auto watched(double max_seconds, Work&& work) {
  bool signalled = false;
  const auto should_stop = [&signalled] {
    nb::gil_scoped_acquire gil;
    signalled = PyErr_CheckSignals() != 0;
    return signalled;
  };
  Watch watch(max_seconds, should_stop);
  try {
    nb::gil_scoped_release release;
    return work(watch);
  } catch (const banditcd::record::Stopped&) {
    if (signalled) throw nb::python_error();
    PyErr_SetString(PyExc_TimeoutError, "smooth solver: the time limit was reached");
    throw nb::python_error();
  }
}

class Rows {
 public:
  Rows(std::unique_ptr<RowMatrix> matrix, std::shared_ptr<const void> keep)
      : matrix_(std::move(matrix)), keep_(std::move(keep)) {}
  const RowMatrix& matrix() const { return *matrix_; }

  void times(Vector<double> w, Output out) const {
    require(w.shape(0) == matrix_->cols() && out.shape(0) == matrix_->rows(),
            "smooth solver: a product needs one value per column and one place per row");
    watched(kForever, [&](Watch& watch) { matrix_->times(w.data(), out.data(), watch); });
  }
  void transposed_times(Vector<double> v, Output out) const {
    require(v.shape(0) == matrix_->rows() && out.shape(0) == matrix_->cols(),
            "smooth solver: a product needs one value per row and one place per column");
    watched(kForever,
            [&](Watch& watch) { matrix_->transposed_times(v.data(), out.data(), watch); });
  }
  void normal_matrix(Optional weight, Optional shift, Square out, double max_seconds) const {
    check_square(out, matrix_->cols());
    const double* d = side(weight, matrix_->rows(), "smooth solver: one weight per row");
    const double* center = side(shift, matrix_->cols(), "smooth solver: one shift per column");
    watched(max_seconds, [&](Watch& watch) {
      matrix_->normal_matrix(d, center, out.data(), out.shape(1), watch);
    });
  }
  void outer_matrix(Optional weight, Optional shift, Square out, double max_seconds) const {
    check_square(out, matrix_->rows());
    const double* e = side(weight, matrix_->cols(), "smooth solver: one weight per column");
    const double* center = side(shift, matrix_->cols(), "smooth solver: one shift per column");
    watched(max_seconds, [&](Watch& watch) {
      matrix_->outer_matrix(e, center, out.data(), out.shape(1), watch);
    });
  }
  std::pair<double, double> ridge_residual(Vector<double> y, Optional weight, Vector<double> w,
                                           double b, Output residual, Output correlation) const {
    const RidgeRows rows = ridge_rows(weight, std::nullopt);
    require(y.shape(0) == matrix_->rows() && residual.shape(0) == matrix_->rows(),
            "smooth solver: y and the residual need one value per row");
    require(w.shape(0) == matrix_->cols() && correlation.shape(0) == matrix_->cols(),
            "smooth solver: coefficients and correlations need one value per column");
    const RidgeSums sums = watched(kForever, [&](Watch& watch) {
      return banditcd::smooth::ridge_residual(rows, y.data(), w.data(), b, residual.data(),
                                              correlation.data(), watch);
    });
    return {sums.loss, sums.excess};
  }
  std::size_t ridge_cg(Optional weight, Optional mean, std::tuple<double, double, std::size_t> stop,
                       Output gradient, Output w, double max_seconds) const {
    const RidgeRows rows = ridge_rows(weight, mean);
    require(gradient.shape(0) == matrix_->cols() && w.shape(0) == matrix_->cols(),
            "smooth solver: gradient and coefficients need one value per column");
    return watched(max_seconds, [&](Watch& watch) {
      return ridge_conjugate_gradients(rows,
                                       {std::get<0>(stop), std::get<1>(stop), std::get<2>(stop)},
                                       gradient.data(), w.data(), watch);
    });
  }

  static constexpr double kForever = std::numeric_limits<double>::infinity();

 private:
  static void check_square(const Square& out, std::size_t size) {
    require(out.shape(0) == size && out.shape(1) >= banditcd::record::padded(size),
            "smooth solver: the matrix needs padded rows, see padded_size");
  }
  RidgeRows ridge_rows(const Optional& weight, const Optional& mean) const {
    RidgeRows rows;
    rows.X = matrix_.get();
    rows.weight = side(weight, matrix_->rows(), "smooth solver: one weight per row");
    rows.mean = side(mean, matrix_->cols(), "smooth solver: one mean per column");
    return rows;
  }

  std::unique_ptr<RowMatrix> matrix_;
  std::shared_ptr<const void> keep_;
};

template <class T>
std::unique_ptr<Rows> dense_rows(Matrix<T> X) {
  DenseRows<T> rows;
  rows.data = X.data();
  rows.rows = X.shape(0);
  rows.cols = X.shape(1);
  require(rows.rows > 0, "smooth solver: X has no rows");
  return std::make_unique<Rows>(make_rows(rows), std::make_shared<Matrix<T>>(X));
}

template <class T>
std::unique_ptr<Rows> sparse_rows(Vector<T> value, Vector<std::int32_t> column,
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
  return std::make_unique<Rows>(make_rows(rows), std::make_shared<Arrays>(value, column, start));
}

// A factored symmetric matrix. Copies the lower triangle of H and adds to the diagonal.
class Factor {
 public:
  Factor(nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> H, double ridge,
         double pivot) {
    const std::size_t size = H.shape(0), stride = H.shape(1);
    require(stride >= size, "smooth solver: a symmetric matrix needs as many columns as rows");
    watched(Rows::kForever, [&](Watch& watch) {
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

class Logistic {
 public:
  Logistic(std::shared_ptr<Rows> rows, Vector<double> y, Optional weight, Optional penalty,
           bool intercept)
      : rows_(std::move(rows)),
        y_(y),
        weight_(std::move(weight)),
        penalty_(std::move(penalty)),
        solver_(check(intercept)) {}

  LogisticReport solve(double lambda, double tol, std::size_t max_iter, double max_seconds) {
    bool signalled = false;
    const LogisticLimits limits{tol, max_iter, max_seconds, [&signalled] {
                                  nb::gil_scoped_acquire gil;
                                  signalled = PyErr_CheckSignals() != 0;
                                  return signalled;
                                }};
    LogisticReport report;
    {
      nb::gil_scoped_release release;
      report = solver_.solve(lambda, limits);
    }
    if (signalled) throw nb::python_error();
    return report;
  }
  void start_at(Vector<double> coef, double intercept) {
    require(coef.shape(0) == solver_.coef().size(),
            "smooth solver: a start needs one value per column of X");
    solver_.start_at(coef.data(), intercept);
  }
  double coefficients(Output out) const {
    require(out.shape(0) == solver_.coef().size(),
            "smooth solver: coefficients need one place per column of X");
    std::copy(solver_.coef().begin(), solver_.coef().end(), out.data());
    return solver_.intercept();
  }
  void force_regime(LogisticRegime regime) { solver_.force_regime(regime); }

 private:
  LogisticData check(bool intercept) const {
    const RowMatrix& X = rows_->matrix();
    require(y_.shape(0) == X.rows(), "smooth solver: y needs one value per row of X");
    for (std::size_t i = 0; i < X.rows(); ++i)
      require(y_.data()[i] == 1.0 || y_.data()[i] == -1.0, "smooth solver: y must be -1 or 1");
    LogisticData data;
    data.X = &X;
    data.y = y_.data();
    data.weight = side(weight_, X.rows(), "smooth solver: sample_weight needs one value per row");
    data.penalty =
        side(penalty_, X.cols(), "smooth solver: penalty_weights needs one value per column");
    data.intercept = intercept;
    return data;
  }

  std::shared_ptr<Rows> rows_;
  Vector<double> y_;
  Optional weight_, penalty_;
  L2Logistic solver_;
};

void bind_l2_logistic(nb::module_& m) {
  nb::enum_<LogisticStatus>(m, "L2LogisticStatus")
      .value("converged", LogisticStatus::kConverged)
      .value("max_iter", LogisticStatus::kMaxIter)
      .value("max_seconds", LogisticStatus::kMaxSeconds)
      .value("interrupted", LogisticStatus::kInterrupted)
      .value("stalled", LogisticStatus::kStalled);
  nb::enum_<LogisticRegime>(m, "L2LogisticRegime")
      .value("newton", LogisticRegime::kNewton)
      .value("newton_cg", LogisticRegime::kNewtonCg)
      .value("dual_newton", LogisticRegime::kDualNewton)
      .value("dual_descent", LogisticRegime::kDualDescent);
  nb::class_<LogisticReport>(m, "L2LogisticReport")
      .def_ro("status", &LogisticReport::status)
      .def_ro("regime", &LogisticReport::regime)
      .def_ro("primal", &LogisticReport::primal)
      .def_ro("gap", &LogisticReport::gap)
      .def_ro("target", &LogisticReport::target)
      .def_ro("seconds", &LogisticReport::seconds)
      .def_ro("passes", &LogisticReport::passes)
      .def_ro("iterations", &LogisticReport::iterations);
  nb::class_<Logistic>(m, "L2Logistic", "L2-regularized logistic regression on smooth rows.")
      .def(nb::init<std::shared_ptr<Rows>, Vector<double>, Optional, Optional, bool>(), "rows"_a,
           "y"_a, "sample_weight"_a.none(), "penalty_weights"_a.none(), "intercept"_a)
      .def("solve", &Logistic::solve, "penalty"_a, "tol"_a, "max_iter"_a, "max_seconds"_a)
      .def("start_at", &Logistic::start_at, "coef"_a, "intercept"_a)
      .def("coefficients", &Logistic::coefficients, "out"_a)
      .def("force_regime", &Logistic::force_regime, "regime"_a);
}

}  // namespace

void bind_smooth(nb::module_& m) {
  nb::class_<Rows>(m, "SmoothRows", "A matrix by rows, as the smooth solvers read it.")
      .def("times", &Rows::times, "w"_a, "out"_a)
      .def("transposed_times", &Rows::transposed_times, "v"_a, "out"_a)
      .def("normal_matrix", &Rows::normal_matrix, "weight"_a.none(), "shift"_a.none(), "out"_a,
           "max_seconds"_a)
      .def("outer_matrix", &Rows::outer_matrix, "weight"_a.none(), "shift"_a.none(), "out"_a,
           "max_seconds"_a)
      .def("ridge_residual", &Rows::ridge_residual, "y"_a, "weight"_a.none(), "w"_a, "b"_a,
           "residual"_a, "correlation"_a)
      .def("ridge_cg", &Rows::ridge_cg, "weight"_a.none(), "mean"_a.none(), "stop"_a, "gradient"_a,
           "w"_a, "max_seconds"_a)
      .def_prop_ro("costs", [](const Rows& rows) {
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
  bind_l2_logistic(m);
}
