// Bindings of the solver for groups of columns and several responses.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <vector>

#include "bind/fit_arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/matrices.hpp"
#include "bind/module.hpp"
#include "groups/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::f_contig, nb::device::cpu>;

// The groups as Python gives them: columns in the order of the groups, where each group starts.
groups::Layout layout_of(Vector<std::int32_t> columns, Vector<std::int64_t> starts,
                         Vector<double> weights) {
  groups::Layout out;
  const std::size_t count = weights.shape(0);
  require(starts.shape(0) == count + 1,
          "groups: starts needs one place more than there are groups");
  require(
      starts.data()[0] == 0 && starts.data()[count] == static_cast<std::int64_t>(columns.shape(0)),
      "groups: the groups must hold all the columns given");
  for (std::size_t g = 0; g < count; ++g) {
    require(starts.data()[g] < starts.data()[g + 1], "groups: a group is empty");
    require(weights.data()[g] >= 0.0, "groups: a weight is negative");
  }
  out.column.assign(columns.data(), columns.data() + columns.shape(0));
  out.start.assign(starts.data(), starts.data() + count + 1);
  out.weight.assign(weights.data(), weights.data() + count);
  return out;
}

void check_partition(const groups::Layout& layout, std::size_t cols) {
  std::vector<char> seen(cols, 0);
  require(layout.column.size() == cols, "groups: every column needs one group");
  for (const Index j : layout.column) {
    require(j >= 0 && static_cast<std::size_t>(j) < cols && !seen[j],
            "groups: every column needs one group");
    seen[j] = 1;
  }
}

class Groups {
 public:
  Groups(ColumnsPointer X, const FitArrays& arrays, const Matrix& y, const groups::Layout& layout,
         bool logistic, std::size_t pool_bytes)
      : X_(std::move(X)), arrays_(arrays) {
    const std::size_t rows = X_->rows(), tasks = y.shape(1);
    const FitData fit = arrays_.check(rows, X_->cols());
    require(y.shape(0) == rows, "y needs one row per row of X");
    require(tasks >= 1, "y needs a column");
    check_partition(layout, X_->cols());
    groups::Data data;
    data.design = X_->design();
    data.intercept = fit.intercept;
    response_.assign(y.data(), y.data() + rows * tasks);
    if (logistic) {
      require(tasks == 1, "the logistic loss has one response");
      for (const double sign : response_)
        require(sign == 1.0 || sign == -1.0, "every y must be -1 or +1");
      data.loss = groups::logistic_loss(response_.data(), rows, fit.sample_weight, fit.intercept);
    } else {
      data.loss =
          groups::squared_loss(response_.data(), rows, tasks, fit.sample_weight, fit.intercept);
    }
    solver_ = std::make_unique<groups::Solver>(std::move(data), layout, pool_bytes);
  }

  // coef: by task and column; intercept: by task.
  Report solve(double l1, double l2, std::pair<double, double> limits, double max_seconds,
               Output coef, Output intercept) {
    check(coef.shape(0), intercept.shape(0));
    const Report report =
        interruptible({limits.first, limits.second, max_seconds},
                      [&](const Limits& inner) { return solver_->solve(l1, l2, inner); });
    solver_->coefficients(coef.data());
    solver_->intercepts(intercept.data());
    return report;
  }
  void start_at(Vector<double> coef, Vector<double> intercept) {
    check(coef.shape(0), intercept.shape(0));
    interruptible({}, [&](const Limits& limits) {
      solver_->set_point(coef.data(), intercept.data(), limits);
    });
  }
  double largest_penalty() {
    return interruptible({}, [&](const Limits& l) { return solver_->largest_penalty(l); });
  }

 private:
  void check(std::size_t coef, std::size_t intercept) const {
    require(coef == solver_->cols() * solver_->tasks(),
            "coef needs one place per task and column of X");
    require(intercept == solver_->tasks(), "intercept needs one place per task");
  }

  ColumnsPointer X_;
  FitArrays arrays_;
  std::vector<double> response_;
  std::unique_ptr<groups::Solver> solver_;
};

}  // namespace
}  // namespace banditcd::bind

void bind_groups(nb::module_& m) {
  using namespace banditcd;
  using namespace banditcd::bind;
  nb::class_<groups::Layout>(m, "GroupLayout", "A partition of columns, with penalty weights.")
      .def(
          "__init__",
          [](groups::Layout* self, Vector<std::int32_t> columns, Vector<std::int64_t> starts,
             Vector<double> weights) {
            new (self) groups::Layout(layout_of(columns, starts, weights));
          },
          "columns"_a, "starts"_a, "weights"_a);
  nb::class_<Groups>(m, "Groups", "A matrix, its responses and groups, and the last point.")
      .def(nb::init<ColumnsPointer, const FitArrays&, const Matrix&, const groups::Layout&, bool,
                    std::size_t>(),
           "X"_a, "data"_a, "y"_a, "layout"_a, "logistic"_a, "pool_bytes"_a)
      .def("solve", &Groups::solve, "l1"_a, "l2"_a, "limits"_a, "max_seconds"_a, "coef"_a,
           "intercept"_a, "Solve for one penalty and fill coef and intercept.")
      .def("start_at", &Groups::start_at, "coef"_a, "intercept"_a)
      .def("largest_penalty", &Groups::largest_penalty);
}
