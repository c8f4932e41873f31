// The fast solver: squared loss with an L1 or elastic-net penalty, certified.
//
//   min over w, b of  1/2 sum_i s_i (y_i - b - x_i . w)^2 + sum_j p_j (l1 |w_j| + l2 / 2 w_j^2)
//   subject to lower_j <= w_j <= upper_j,
//
// in sums, not means: the caller multiplies by n. One bin refreshes what is known about all
// columns, then works on the pool alone; solve_at() in solver.cpp is the whole algorithm.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "columns/design.hpp"
#include "elastic_net/pool.hpp"
#include "quadratic/inner.hpp"
#include "quadratic/line.hpp"
#include "quadratic/residual.hpp"
#include "solve/fit_data.hpp"
#include "solve/report.hpp"
#include "solve/snapshots.hpp"

namespace banditcd::elastic_net {

// The penalties of a path and the places for its models: cols() coefficients for each.
struct PathRequest {
  const double* l1;
  const double* l2;
  std::size_t count;
  double* coef;
};

class RecordSolver {
 public:
  // solves_expected: how many penalties will be asked for; a path may want the whole Gram matrix.
  RecordSolver(std::unique_ptr<Design> design, const FitData& data, std::size_t pool_bytes,
               std::size_t solves_expected);

  // Starts from the point, pool and snapshots of the previous call.
  Report solve(double l1, double l2, const Limits& limits);
  // The same for one (l1, l2) after another. In Gram space the certificates of several are computed
  // together, so that the data is read less often.
  std::vector<Report> solve_path(const PathRequest& request, const Limits& limits);
  void set_threads(std::size_t threads) { design_->set_threads(threads); }
  void set_point(const double* coef, const Limits& limits);
  void coefficients(double* out) const;  // cols() doubles
  void gram(const std::vector<Index>& columns, double* out);
  const ColumnFacts& facts() const { return facts_; }
  double intercept() const { return intercept_; }
  double null_objective() const { return 0.5 * null_square_; }
  // The smallest l1 whose solution has no penalized non-zero, if nothing is unpenalized.
  double largest_penalty(const Limits& limits);
  const Design& design() const { return *design_; }

 private:
  void start(Watch& watch);
  void survey(Watch& watch);
  void start_pool(Watch& watch);
  void require_finite_squares() const;
  bool whole_gram_pays(std::size_t cols) const;
  double whole_gram_passes() const;
  bool crowded(double times) const;
  double largest_slope(const std::vector<double>& correlation) const;
  bool saturated(double largest) const;
  void approach(Report& report, Watch& watch);
  std::size_t rough_bins(double target, Watch& watch);
  bool start_from_sample(double target, Watch& watch);
  std::vector<Index> sampled_rows() const;
  std::vector<std::pair<Index, double>> promising() const;
  enum class Space { kGram, kData };  // where a solve may end
  // A point that Gram space calls solved, waiting for its certificate.
  struct Draft {
    Report report;
    Penalties penalties;
    std::vector<double> x;              // in pool order
    std::vector<std::size_t> relevant;  // pool positions that its certificate needs
    std::vector<double> u;              // true correlations with draft_column_
    double residual2 = 0.0, intercept = 0.0;
    std::size_t place = 0;      // in the path
    std::size_t followers = 0;  // penalties after it, on the line to the next draft
    bool accepted() const { return report.accepted() || report.status == Status::kInterrupted; }
  };
  struct Rounding {
    double gamma = 0.0, bound = 0.0;
    double total() const { return 3.0 * gamma * bound * bound; }
  };
  Report run(double l1, double l2, const Limits& limits, Space space);
  bool drafts_pay(const Limits& limits) const;
  bool solve_in_gram_space(double target, Report& report, Watch& watch);
  Rounding rounding();
  Certificate gram_certificate(const Rounding& rounding);
  void accept_gram_point();
  double raw_norm(Index j) const;
  Draft draft(const Report& report);
  void certify_drafts(std::vector<Draft>& drafts, Watch& watch);
  void choose_draft_columns(const std::vector<Draft>& drafts);
  void take_facts(Draft& draft, std::size_t b, const BatchFacts& facts) const;
  void certify_draft(Draft& draft);
  void certify_or_stop(std::vector<Draft>& drafts, const Limits& limits);
  Report redo(const Draft& draft, const Limits& limits);
  std::size_t batch_size() const;
  Report complete(Report report) const;
  void write(const PathRequest& request, std::size_t k, const Report& report,
             std::vector<Report>& reports) const;
  void settle(const PathRequest& request, std::vector<Draft>& drafts, const Limits& limits,
              std::vector<Report>& reports);
  std::size_t follow_line(const PathRequest& request, std::vector<Draft>& drafts,
                          const Limits& limits);
  std::size_t end_of_line(const PathRequest& request, std::size_t first, Watch& watch);
  void mix(const Draft& a, const Draft& b, double l1, Draft& out);
  bool gram_pays(const std::vector<Index>& entering) const;
  bool rough_offered() const;
  bool rough_pays(std::size_t entering) const;
  double inner_target(double target, double gap, bool no_violator);
  Status certify_last(double target, Report& report, Watch& watch);
  void make_exact(Watch& watch);
  void solve_model(double target, Watch& watch);
  void correlate_pool(Watch& watch);
  void recompute_pool();
  Status solve_at(double target, const Limits& limits, Report& report, Watch& watch);
  void lazy_pass(Watch& watch, double share);
  double likely_share() const;
  bool enough_violators();
  std::vector<Index> likely_columns(Watch& watch);
  Certificate certify();
  Certificate pool_certificate();
  void verify(Watch& watch);
  bool free_columns_orthogonal() const;
  std::vector<Index> best_columns();
  std::size_t columns_to_add() const;
  void grow_pool(const std::vector<Index>& columns, Watch& watch);
  void solve_pool(double target, Watch& watch);
  void project_free_columns(Watch& watch);
  void refresh_residual(Watch& watch);
  void finish_residual(double shift);
  void restore(Certificate& certificate);
  void read(std::size_t entries) { entries_read_ += static_cast<double>(entries); }
  double entries_of(const std::vector<Index>& columns) const;

  std::unique_ptr<Design> design_;
  FitData data_;
  Rowspace space_;
  std::size_t pool_bytes_, solves_expected_;
  Penalties penalties_;
  bool started_ = false, cold_ = true, whole_gram_ = false, gram_free_ = false,
       residual_stale_ = false, drafted_ = false, rough_ = false, refused_rough_ = false,
       sampled_ = false;

  std::vector<double> root_weight_, centered_y_, residual_, weighted_;
  double y_mean_ = 0.0, null_square_ = 0.0, residual2_ = 0.0, intercept_ = 0.0;
  ColumnFacts facts_;
  std::vector<Index> eligible_;      // columns that may become non-zero
  std::vector<double> norm_;         // |x_j|
  std::vector<double> correlation_;  // last known <x_j, R>
  std::vector<Snapshots::Id> seen_;  // and the snapshot it belongs to
  Snapshots snapshots_;
  Pool pool_;
  InnerSolver inner_;
  ResidualSolver residual_solver_;
  SolutionLine line_;
  std::size_t line_wait_ = 0, line_failures_ = 0;  // penalties until a line is looked for again
  Cholesky free_factor_;
  Snapshots::Id current_ = Snapshots::kNever;  // the snapshot of the residual of today, if taken
  std::vector<Index> evaluated_;  // columns outside the pool that may matter in this bin
  std::vector<Index> unread_;     // those of them whose correlation had to be read
  std::vector<double> buffer_, trial_;
  std::vector<Index> draft_column_;       // the columns that a batch of drafts needs
  std::vector<std::size_t> draft_place_;  // and their places in the pool
  struct Score {
    double r;  // marginal decrease
    Index j;
  };
  std::vector<Score> scores_;
  std::size_t violators_ = 0;
  Terms terms_;
  std::vector<double> committed_;  // coefficients the residual belongs to, in pool order
  double entries_read_ = 0.0, pass_entries_ = 0.0;
  Phases phases_;
};

}  // namespace banditcd::elastic_net
