// The fast solver: squared loss with an L1 or elastic-net penalty, certified.
//
//   min over w, b of  1/2 sum_i s_i (y_i - b - x_i . w)^2 + sum_j p_j (l1 |w_j| + l2 / 2 w_j^2)
//   subject to lower_j <= w_j <= upper_j,
//
// in sums, not means: the caller multiplies by n. Bins::solve_at() is the algorithm; GramPath goes
// without the data as long as it can.
#pragma once
#include <memory>
#include <vector>

#include "elastic_net/bins.hpp"
#include "elastic_net/path.hpp"

namespace banditcd::elastic_net {

class ElasticNetSolver {
 public:
  ElasticNetSolver(std::unique_ptr<Design> design, const FitData& data, std::size_t pool_bytes,
                   const Purpose& purpose);

  // Starts from the point, pool and snapshots of the previous call.
  Report solve(double l1, double l2, const Limits& limits);
  // The same for one (l1, l2) after another. In Gram space the certificates of several are computed
  // together, so that the data is read less often. Like solve, it throws Stopped at an interrupt
  // between bins.
  std::vector<Report> solve_path(const PathRequest& request, const Limits& limits);
  // Starts the next solve at these coefficients (columns that cannot be non-zero are left out).
  void set_point(const double* coef, const Limits& limits);

  void coefficients(double* out);  // cols() doubles
  double null_objective() { return bins_.data().null_objective(); }
  // The smallest l1 whose solution has no penalized non-zero. Unpenalized columns are fitted first:
  // what counts is the residual they leave.
  double largest_penalty(const Limits& limits);
  Design& design() { return bins_.data().design(); }
  Bins& bins() { return bins_; }
  // The Gram matrix of some columns: for tests.
  void gram(const std::vector<Index>& columns, double* out);

 private:
  enum class Space { kGram, kData };  // where a solve may end
  struct Solved {
    Report report;
    bool draft;  // it waits for its certificate
  };
  Solved run(double l1, double l2, const Limits& limits, Space space);
  Status run_bins(const Limits& limits, Report& report, Watch& watch);
  void follow_path(const PathRequest& request, const Limits& limits, std::vector<Report>& reports);
  Report finish(const Draft& draft, const Limits& limits, Watch& watch);
  Report complete(Report report);
  // At an interrupt the committed point comes back, and the interrupt goes on.
  template <class Work>
  void or_restore(Work&& work) {
    try {
      work();
    } catch (const Stopped&) {
      Certificate unknown;
      bins_.restore(unknown);
      throw;
    }
  }

  Bins bins_;
  GramPath path_;
  bool warm_ = false;  // a start was given, or bins have run
};

}  // namespace banditcd::elastic_net
