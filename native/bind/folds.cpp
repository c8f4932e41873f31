// Bindings of the folds that share one Gram matrix.
#include "record/folds.hpp"

#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

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

// The number of the fold every row is tested in, as lists of rows.
FoldSet::Rows rows_of_folds(const Vector<std::int32_t>& fold_of_row, std::size_t rows) {
  require(fold_of_row.shape(0) == rows, "record folds: one fold per row of X is needed");
  FoldSet::Rows out;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int32_t f = fold_of_row.data()[i];
    require(f >= 0 && static_cast<std::size_t>(f) < rows, "record folds: no such fold");
    if (out.size() <= static_cast<std::size_t>(f)) out.resize(f + 1);
    out[f].push_back(static_cast<Index>(i));
  }
  require(out.size() >= 2, "record folds: at least two folds are needed");
  for (const auto& fold : out) require(!fold.empty(), "record folds: a fold has no rows");
  return out;
}

class Folds {
 public:
  Folds(FoldSet::Factory factory, const Sides& sides, const Vector<std::int32_t>& fold_of_row,
        std::shared_ptr<const void> keep, std::size_t pool_bytes)
      : sides_(sides), fold_of_row_(fold_of_row), keep_(std::move(keep)) {
    const std::unique_ptr<Design> design = factory();
    const Data data = sides_.check(design->rows(), design->cols());
    FoldSet::Rows rows = rows_of_folds(fold_of_row_, design->rows());
    set_ = interruptible({}, [&](const Limits& limits) -> std::unique_ptr<FoldSet> {
      try {
        Watch watch(kInfinity, limits.should_stop);
        return std::make_unique<FoldSet>(factory, data, std::move(rows), pool_bytes, watch);
      } catch (const Stopped&) {
        return nullptr;  // the signal is raised by interruptible()
      }
    });
  }

  void path(std::size_t fold, const PathArrays& arrays, double tol, std::size_t max_bins) const {
    require(fold <= set_->count(), "record folds: no such fold");
    const std::unique_ptr<RecordSolver> solver = set_->solver(fold, arrays.l1.shape(0));
    run_path(*solver, arrays, tol, max_bins);
  }
  void errors(std::size_t fold, const Models& coef, const Vector<double>& intercept,
              const Output& out) const {
    require(fold < set_->count(), "record folds: no such fold");
    require(coef.shape(0) == set_->cols(), "record folds: coef needs one row per column of X");
    require(coef.shape(1) == intercept.shape(0) && coef.shape(1) == out.shape(0),
            "record folds: intercept and out need one place per model");
    nb::gil_scoped_release release;
    set_->errors(fold, coef.data(), intercept.data(), coef.shape(1), out.data());
  }
  double largest_penalty() const {
    nb::gil_scoped_release release;
    return set_->solver(set_->count(), 1)->largest_penalty({});
  }

 private:
  Sides sides_;
  Vector<std::int32_t> fold_of_row_;
  std::shared_ptr<const void> keep_;
  std::unique_ptr<FoldSet> set_;
};

template <class T>
std::unique_ptr<Folds> dense_folds(Matrix<T> X, const Sides& sides,
                                   const Vector<std::int32_t>& fold_of_row,
                                   std::size_t pool_bytes) {
  const DenseColumns<T> columns = checked_dense(X);
  return std::make_unique<Folds>([columns] { return make_design(columns); }, sides, fold_of_row,
                                 std::make_shared<Matrix<T>>(X), pool_bytes);
}

template <class T>
std::unique_ptr<Folds> sparse_folds(
    const std::tuple<Vector<T>, Vector<std::int32_t>, Vector<std::int64_t>>& csc, std::size_t rows,
    const Sides& sides, const Vector<std::int32_t>& fold_of_row, std::size_t pool_bytes) {
  using Arrays = std::tuple<Vector<T>, Vector<std::int32_t>, Vector<std::int64_t>>;
  const CscColumns<T> columns =
      checked_csc(std::get<0>(csc), std::get<1>(csc), std::get<2>(csc), rows);
  return std::make_unique<Folds>([columns] { return make_design(columns); }, sides, fold_of_row,
                                 std::make_shared<Arrays>(csc), pool_bytes);
}

template <class T>
void bind_storage(nb::module_& m) {
  m.def(
      "record_folds_dense",
      [](Matrix<T> X, Vector<double> y, Optional sample_weight, Optional penalty_weights,
         Optional lower, Optional upper, bool intercept, std::size_t pool_bytes,
         Vector<std::int32_t> fold_of_row) {
        return dense_folds<T>(X, Sides{y, sample_weight, penalty_weights, lower, upper, intercept},
                              fold_of_row, pool_bytes);
      },
      "X"_a, "y"_a, "sample_weight"_a.none(), "penalty_weights"_a.none(), "lower"_a.none(),
      "upper"_a.none(), "intercept"_a, "pool_bytes"_a, "fold_of_row"_a);
  m.def(
      "record_folds_sparse",
      [](Vector<T> data, Vector<std::int32_t> indices, Vector<std::int64_t> indptr,
         std::size_t rows, Vector<double> y, Optional sample_weight, Optional penalty_weights,
         Optional lower, Optional upper, bool intercept, std::size_t pool_bytes,
         Vector<std::int32_t> fold_of_row) {
        return sparse_folds<T>({data, indices, indptr}, rows,
                               Sides{y, sample_weight, penalty_weights, lower, upper, intercept},
                               fold_of_row, pool_bytes);
      },
      "data"_a, "indices"_a, "indptr"_a, "rows"_a, "y"_a, "sample_weight"_a.none(),
      "penalty_weights"_a.none(), "lower"_a.none(), "upper"_a.none(), "intercept"_a, "pool_bytes"_a,
      "fold_of_row"_a);
}

}  // namespace

void bind_folds(nb::module_& m) {
  nb::class_<Folds>(m, "RecordFolds", "Folds of a cross-validation that share a Gram matrix.")
      .def(
          "path",
          [](const Folds& self, std::size_t fold, Vector<double> l1, Vector<double> l2, double tol,
             std::size_t max_bins, Models coef,
             Table table) { self.path(fold, {l1, l2, coef, table}, tol, max_bins); },
          "fold"_a, "l1"_a, "l2"_a, "tol"_a, "max_bins"_a, "coef"_a, "table"_a)
      .def("errors", &Folds::errors, "fold"_a, "coef"_a, "intercept"_a, "out"_a)
      .def("largest_penalty", &Folds::largest_penalty);
  m.def(
      "record_folds_pay",
      [](std::size_t rows, std::size_t cols, std::size_t entries, bool sparse, std::size_t folds,
         std::size_t penalties, std::size_t pool_bytes) {
        return FoldSet::pays({rows, cols, entries, sparse}, folds, penalties, pool_bytes);
      },
      "rows"_a, "cols"_a, "entries"_a, "sparse"_a, "folds"_a, "penalties"_a, "pool_bytes"_a);
  bind_storage<double>(m);
  bind_storage<float>(m);
}
