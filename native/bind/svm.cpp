// Bindings of the support vector solver. Shapes are checked here, before any native code sees
// memory.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "bind/arrays.hpp"
#include "bind/module.hpp"
#include "svm/paired_rows.hpp"
#include "svm/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;
using namespace banditcd::svm;

namespace {

using Weights = OptionalVector;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The choices beside the data; `constant` is the value of the intercept's feature, 0 for none.
struct Choices {
  Loss loss;
  double constant;
  bool free_bias;
  double epsilon;  // of regression; negative for classification
};
constexpr double kClassification = -1.0;

// Rows of a classification, or paired ones of a regression.
template <class Columns>
std::unique_ptr<Rows> rows_of(const Columns& x, const Vector<double>& y, const Choices& choices) {
  require(std::isfinite(choices.epsilon), "svm: epsilon must be finite");
  if (choices.epsilon < 0.0) return make_rows(x, y.data(), choices.constant);
  return make_paired(x, paired_goals(y.data(), y.shape(0), choices.epsilon), choices.constant);
}

class SvmSession {
 public:
  SvmSession(std::unique_ptr<Rows> rows, Vector<double> y, Weights weights, const Choices& choices,
             std::shared_ptr<const void> keep)
      : y_(std::move(y)),
        weights_(std::move(weights)),
        keep_(std::move(keep)),
        count_(rows->count()),
        dim_(rows->dim()),
        solver_(std::move(rows),
                Options{choices.loss, choices.free_bias, weights_ ? weights_->data() : nullptr}) {}

  // Ctrl-C is noticed about every 50 ms of native work and raised here.
  Report solve(double C, double tol, double max_iter, double max_seconds) {
    bool signalled = false;
    const Limits limits{tol, max_iter, max_seconds, [&signalled] {
                          nb::gil_scoped_acquire gil;
                          signalled = PyErr_CheckSignals() != 0;
                          return signalled;
                        }};
    Report report;
    {
      nb::gil_scoped_release release;
      report = solver_.solve(C, limits);
    }
    if (signalled) throw nb::python_error();
    return report;
  }
  double null_objective(double C) { return solver_.null_objective(C); }
  void start_at(Vector<double> dual) {
    require(dual.shape(0) == count_, "svm: a start needs one dual variable per row of X");
    solver_.set_duals(dual.data());
  }
  void weights(Output out) const {
    require(out.shape(0) == dim_, "svm: weights need one place per column, and the intercept's");
    std::copy_n(solver_.weights().data(), dim_, out.data());
  }
  void duals(Output out) const {
    require(out.shape(0) == count_, "svm: dual variables need one place per row of X");
    std::copy_n(solver_.duals().data(), count_, out.data());
  }

 private:
  Vector<double> y_;
  Weights weights_;
  std::shared_ptr<const void> keep_;
  std::size_t count_, dim_;
  SvmSolver solver_;
};

void check_sides(std::size_t rows, std::size_t cols, const Vector<double>& y,
                 const Weights& weights) {
  const auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max()) / 2;
  require(rows > 0, "svm: X has no rows");
  require(rows < most && cols < most,
          "svm: X has more rows or columns than 32-bit indices can name");
  require(y.shape(0) == rows, "svm: y needs one label per row of X");
  require(!weights || weights->shape(0) == rows, "svm: sample_weight needs one value per row of X");
}

template <class T>
std::unique_ptr<SvmSession> dense_session(Matrix<T> X, Vector<double> y, Weights sample_weight,
                                          Loss loss, double constant, bool free_bias,
                                          double epsilon) {
  check_sides(X.shape(0), X.shape(1), y, sample_weight);
  DenseColumns<T> rows;
  rows.data = X.data();
  rows.rows = rows.stride = X.shape(1);
  rows.cols = X.shape(0);
  const Choices choices{loss, constant, free_bias, epsilon};
  return std::make_unique<SvmSession>(rows_of(rows, y, choices), y, sample_weight, choices,
                                      std::make_shared<Matrix<T>>(X));
}

// Whether the column indices ascend strictly within each row and stay below cols.
bool ascending(const Vector<std::int32_t>& column, const Vector<std::int64_t>& start,
               std::size_t cols) {
  const std::size_t rows = start.shape(0) - 1;
  const std::int32_t* at = column.data();
  const auto width = static_cast<std::int64_t>(cols);
  bool good = true;
  for (std::size_t i = 0; i < rows && good; ++i) {
    const std::int64_t begin = start.data()[i], end = start.data()[i + 1];
    if (begin == end) continue;
    for (std::int64_t k = begin + 1; k < end; ++k) good &= at[k] > at[k - 1];
    good &= at[begin] >= 0 && at[end - 1] < width;
  }
  return good;
}

template <class T>
std::unique_ptr<SvmSession> sparse_session(Vector<T> value, Vector<std::int32_t> column,
                                           Vector<std::int64_t> start, std::size_t cols,
                                           Vector<double> y, Weights sample_weight, Loss loss,
                                           double constant, bool free_bias, double epsilon) {
  using Arrays = std::tuple<Vector<T>, Vector<std::int32_t>, Vector<std::int64_t>>;
  require(start.shape(0) >= 1 && start.data()[0] == 0, "svm: indptr must start at 0");
  const std::size_t count = start.shape(0) - 1;
  check_sides(count, cols, y, sample_weight);
  for (std::size_t i = 0; i < count; ++i)
    require(start.data()[i] <= start.data()[i + 1], "svm: indptr must not decrease");
  const auto entries = static_cast<std::size_t>(start.data()[count]);
  require(value.shape(0) >= entries && column.shape(0) >= entries,
          "svm: data and indices are shorter than indptr says");
  require(ascending(column, start, cols),
          "svm: column indices must ascend within each row and lie inside X");
  CscColumns<T> rows;
  rows.value = value.data();
  rows.row = column.data();
  rows.start = start.data();
  rows.rows = cols;
  rows.cols = count;
  const Choices choices{loss, constant, free_bias, epsilon};
  return std::make_unique<SvmSession>(rows_of(rows, y, choices), y, sample_weight, choices,
                                      std::make_shared<Arrays>(value, column, start));
}

template <class T>
void bind_storage(nb::module_& m) {
  m.def("svm_dense", &dense_session<T>, "X"_a, "y"_a, "sample_weight"_a.none(), "loss"_a,
        "constant"_a, "free_bias"_a, "epsilon"_a = kClassification);
  m.def("svm_sparse", &sparse_session<T>, "data"_a, "indices"_a, "indptr"_a, "cols"_a, "y"_a,
        "sample_weight"_a.none(), "loss"_a, "constant"_a, "free_bias"_a,
        "epsilon"_a = kClassification);
}

}  // namespace

void bind_svm(nb::module_& m) {
  nb::enum_<Loss>(m, "SvmLoss")
      .value("hinge", Loss::kHinge)
      .value("squared_hinge", Loss::kSquaredHinge);
  nb::enum_<Status>(m, "SvmStatus")
      .value("converged", Status::kConverged)
      .value("max_iter", Status::kMaxIter)
      .value("max_seconds", Status::kMaxSeconds)
      .value("interrupted", Status::kInterrupted)
      .value("stalled", Status::kStalled);
  nb::enum_<Regime>(m, "SvmRegime")
      .value("null", Regime::kNull)
      .value("descent", Regime::kDescent)
      .value("newton", Regime::kNewton)
      .value("proximal_newton", Regime::kProximalNewton)
      .value("descent_then_newton", Regime::kDescentThenNewton)
      .value("gram", Regime::kGram);
  nb::class_<Report>(m, "SvmReport")
      .def_ro("status", &Report::status)
      .def_ro("regime", &Report::regime)
      .def_prop_ro("primal", [](const Report& r) { return r.certificate.primal; })
      .def_prop_ro("gap", [](const Report& r) { return r.certificate.gap; })
      .def_ro("target", &Report::target)
      .def_ro("seconds", &Report::seconds)
      .def_ro("passes", &Report::passes)
      .def_ro("bins", &Report::bins)
      .def_ro("support", &Report::support);
  nb::class_<SvmSession>(m, "SvmSession", "Rows, labels and the last point of a solve.")
      .def("solve", &SvmSession::solve, "C"_a, "tol"_a, "max_iter"_a, "max_seconds"_a)
      .def("null_objective", &SvmSession::null_objective, "C"_a)
      .def("start_at", &SvmSession::start_at, "dual"_a)
      .def("weights", &SvmSession::weights, "out"_a)
      .def("duals", &SvmSession::duals, "out"_a);
  bind_storage<double>(m);
  bind_storage<float>(m);
}
