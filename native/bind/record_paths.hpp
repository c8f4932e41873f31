// Paths as arrays: where their models and proofs go, and how they are interrupted.
#pragma once
#include <vector>

#include "bind/record_arrays.hpp"

namespace banditcd::bind {

// Columns of the table of a path: intercept, primal, gap, target, status, regime, passes, bins,
// seconds. Rows that were not reached are left as they are.
constexpr std::size_t kPathColumns = 9;
using Models = nb::ndarray<double, nb::ndim<2>, nb::f_contig, nb::device::cpu>;
using Table = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

struct PathArrays {
  Vector<double> l1, l2;
  Models coef;
  Table table;

  record::PathRequest check(std::size_t cols, std::vector<double>& intercepts) const {
    const std::size_t count = l1.shape(0);
    require(l2.shape(0) == count && table.shape(0) == count && coef.shape(1) == count,
            "record solver: l1, l2, coef and table of a path need one place per penalty");
    require(coef.shape(0) == cols, "record solver: coef needs one row per column of X");
    require(table.shape(1) == kPathColumns, "record solver: the table of a path has 9 columns");
    intercepts.resize(count);
    return {l1.data(), l2.data(), count, coef.data(), intercepts.data()};
  }
  void fill(const std::vector<record::Report>& reports,
            const std::vector<double>& intercepts) const {
    double* row = table.data();
    for (std::size_t k = 0; k < reports.size(); ++k, row += kPathColumns) {
      const record::Report& r = reports[k];
      row[0] = intercepts[k];
      row[1] = r.certificate.primal;
      row[2] = r.certificate.gap;
      row[3] = r.target;
      row[4] = static_cast<double>(r.status);
      row[5] = static_cast<double>(r.regime);
      row[6] = r.passes;
      row[7] = static_cast<double>(r.bins);
      row[8] = r.seconds;
    }
  }
};

// Runs native work without the GIL. Ctrl-C is noticed about every 50 ms of it and raised here.
template <class Work>
auto interruptible(record::Limits limits, Work&& work) {
  bool signalled = false;
  limits.should_stop = [&signalled] {
    nb::gil_scoped_acquire gil;
    signalled = signalled || PyErr_CheckSignals() != 0;
    return signalled;
  };
  auto result = [&] {
    nb::gil_scoped_release release;
    return work(limits);
  }();
  if (signalled) throw nb::python_error();
  return result;
}

inline void run_path(record::RecordSolver& solver, const PathArrays& arrays, double tol,
                     std::size_t max_bins) {
  std::vector<double> intercepts;
  const record::PathRequest request = arrays.check(solver.design().cols(), intercepts);
  arrays.fill(interruptible(
                  {tol, max_bins, record::kInfinity, {}},
                  [&](const record::Limits& limits) { return solver.solve_path(request, limits); }),
              intercepts);
}

}  // namespace banditcd::bind
