// Bindings of L2-regularized logistic regression.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "bind/smooth.hpp"
#include "kernels/logistic_math.hpp"
#include "smooth/logistic.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd::smooth_bind;
using namespace banditcd::smooth;

namespace {

class Logistic {
 public:
  Logistic(std::shared_ptr<SmoothRows> rows, Vector<double> y, Optional weight, Optional penalty,
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
  void carried(Output out) const {
    require(
        out.shape(0) == solver_.carried().size(),
        "smooth solver: there is a carried dual point after a solve that it certified, with one "
        "value per row of X");
    std::copy(solver_.carried().begin(), solver_.carried().end(), out.data());
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

  std::shared_ptr<SmoothRows> rows_;
  Vector<double> y_;
  Optional weight_, penalty_;
  L2Logistic solver_;
};

}  // namespace

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
      .value("rowspace", LogisticRegime::kRowspace)
      .value("dual_descent", LogisticRegime::kDualDescent);
  nb::class_<LogisticReport>(m, "L2LogisticReport")
      .def_ro("status", &LogisticReport::status)
      .def_ro("regime", &LogisticReport::regime)
      .def_ro("primal", &LogisticReport::primal)
      .def_ro("gap", &LogisticReport::gap)
      .def_ro("target", &LogisticReport::target)
      .def_ro("seconds", &LogisticReport::seconds)
      .def_ro("passes", &LogisticReport::passes)
      .def_ro("iterations", &LogisticReport::iterations)
      .def_ro("carried", &LogisticReport::carried);
  nb::class_<Logistic>(m, "L2Logistic", "L2-regularized logistic regression on smooth rows.")
      .def(nb::init<std::shared_ptr<SmoothRows>, Vector<double>, Optional, Optional, bool>(),
           "rows"_a, "y"_a, "sample_weight"_a.none(), "penalty_weights"_a.none(), "intercept"_a)
      .def("solve", &Logistic::solve, "penalty"_a, "tol"_a, "max_iter"_a, "max_seconds"_a)
      .def("start_at", &Logistic::start_at, "coef"_a, "intercept"_a)
      .def("coefficients", &Logistic::coefficients, "out"_a)
      .def("carried", &Logistic::carried, "out"_a)
      .def("force_regime", &Logistic::force_regime, "regime"_a);
  m.def(
      "logistic_loss",
      [](Vector<double> margin, Output probability, Output loss) {
        const std::size_t n = margin.shape(0);
        require(probability.shape(0) == n && loss.shape(0) == n,
                "smooth solver: outputs need one place per margin");
        banditcd::logistic_kernels().loss(margin.data(), n, probability.data(), loss.data());
      },
      "margin"_a, "probability"_a, "loss"_a,
      "1 / (1 + exp(m)) and log(1 + exp(-m)) of every margin, by the kernels in use.");
}
