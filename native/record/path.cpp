#include "record/path.hpp"

namespace banditcd::record {

std::vector<Report> solve_path(RecordSolver& solver, const PathRequest& request,
                               const Limits& limits) {
  std::vector<Report> reports;
  reports.reserve(request.count);
  const std::size_t cols = solver.design().cols();
  for (std::size_t k = 0; k < request.count; ++k) {
    reports.push_back(solver.solve(request.l1[k], request.l2[k], limits));
    solver.coefficients(request.coef + k * cols);
    request.intercept[k] = solver.intercept();
    if (reports.back().status == Status::kInterrupted) break;
  }
  return reports;
}

}  // namespace banditcd::record
