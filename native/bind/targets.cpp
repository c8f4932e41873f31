// Bindings of many responses to one matrix.
#include "record/targets.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <tuple>

#include "bind/module.hpp"
#include "bind/record_paths.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;
using namespace banditcd::record;
using namespace banditcd::bind;

namespace {

// The sides of all responses; the response itself comes with each solve.
struct Shared {
  Optional sample_weight, penalty_weights, lower, upper;
  bool intercept;
  std::size_t pool_bytes, targets;
};

class Targets {
 public:
  Targets(TargetSet::Factory factory, const Shared& shared, std::shared_ptr<const void> keep)
      : shared_(shared), keep_(std::move(keep)) {
    const std::unique_ptr<Design> design = factory();
    const Data data =
        check_sides(shared_.sample_weight, shared_.penalty_weights, shared_.lower, shared_.upper,
                    shared_.intercept, {design->rows(), design->cols()});
    set_ = interruptible({}, [&](const Limits& limits) -> std::unique_ptr<TargetSet> {
      try {
        Watch watch(kInfinity, limits.should_stop);
        return std::make_unique<TargetSet>(factory, data, shared_.targets, shared_.pool_bytes,
                                           watch);
      } catch (const Stopped&) {
        return nullptr;  // the signal is raised by interruptible()
      }
    });
  }

  void path(const Vector<double>& y, const Optional& start, const PathArrays& arrays, double tol,
            std::size_t max_bins) const {
    require(y.shape(0) == set_->rows(), "record solver: y needs one value per row of X");
    require(!start || start->shape(0) == set_->cols(),
            "record solver: a start needs one value per column of X");
    const std::unique_ptr<RecordSolver> solver = set_->solver(y.data());
    if (start) solver->set_point(start->data(), {});
    run_path(*solver, arrays, tol, max_bins);
  }
  bool shares_gram() const { return set_->shares_gram(); }

 private:
  Shared shared_;
  std::shared_ptr<const void> keep_;
  std::unique_ptr<TargetSet> set_;
};

template <class T>
void bind_storage(nb::module_& m) {
  m.def(
      "record_targets_dense",
      [](Matrix<T> X, Optional sample_weight, Optional penalty_weights, Optional lower,
         Optional upper, bool intercept, std::size_t pool_bytes, std::size_t targets) {
        const DenseColumns<T> columns = checked_dense(X);
        return std::make_unique<Targets>(
            [columns] { return make_design(columns); },
            Shared{sample_weight, penalty_weights, lower, upper, intercept, pool_bytes, targets},
            std::make_shared<Matrix<T>>(X));
      },
      "X"_a, "sample_weight"_a.none(), "penalty_weights"_a.none(), "lower"_a.none(),
      "upper"_a.none(), "intercept"_a, "pool_bytes"_a, "targets"_a);
  m.def(
      "record_targets_sparse",
      [](Vector<T> data, Vector<std::int32_t> indices, Vector<std::int64_t> indptr,
         std::size_t rows, Optional sample_weight, Optional penalty_weights, Optional lower,
         Optional upper, bool intercept, std::size_t pool_bytes, std::size_t targets) {
        using Arrays = std::tuple<Vector<T>, Vector<std::int32_t>, Vector<std::int64_t>>;
        const CscColumns<T> columns = checked_csc(data, indices, indptr, rows);
        return std::make_unique<Targets>(
            [columns] { return make_design(columns); },
            Shared{sample_weight, penalty_weights, lower, upper, intercept, pool_bytes, targets},
            std::make_shared<Arrays>(data, indices, indptr));
      },
      "data"_a, "indices"_a, "indptr"_a, "rows"_a, "sample_weight"_a.none(),
      "penalty_weights"_a.none(), "lower"_a.none(), "upper"_a.none(), "intercept"_a, "pool_bytes"_a,
      "targets"_a);
}

}  // namespace

void bind_targets(nb::module_& m) {
  nb::class_<Targets>(m, "RecordTargets", "Many responses to one matrix.")
      .def(
          "path",
          [](const Targets& self, Vector<double> y, Optional start, Vector<double> l1,
             Vector<double> l2, double tol, std::size_t max_bins, Models coef,
             Table table) { self.path(y, start, {l1, l2, coef, table}, tol, max_bins); },
          "y"_a, "start"_a.none(), "l1"_a, "l2"_a, "tol"_a, "max_bins"_a, "coef"_a, "table"_a)
      .def_prop_ro("shares_gram", &Targets::shares_gram);
  bind_storage<double>(m);
  bind_storage<float>(m);
}
