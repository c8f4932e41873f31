// Drafts: points that Gram space calls solved, and their certificates from the data.
//
// X is read once for the true residuals of several drafts in float64, and for their true
// correlations with every column that is in use or near its threshold.
#pragma once
#include <vector>

#include "elastic_net/pool.hpp"
#include "elastic_net/training_data.hpp"
#include "solve/report.hpp"

namespace banditcd::elastic_net {

struct Draft {
  Report report;
  Penalties penalties;
  std::vector<double> x;              // in pool order
  std::vector<std::size_t> relevant;  // pool positions that its certificate needs
  std::vector<double> u;              // true correlations with the columns of its batch
  double residual2 = 0.0, intercept = 0.0;
  std::size_t place = 0;      // in the path
  std::size_t followers = 0;  // penalties after it, on the line to the next draft
};

class DraftCertifier {
 public:
  DraftCertifier(TrainingData& data, const Pool& pool) : data_(data), pool_(pool) {}

  // Certificates of a batch of drafts.
  void certify(std::vector<Draft>& drafts, Watch& watch);
  // The point between two drafts of the batch, for a penalty between theirs, with its certificate.
  // Its residual is the same mixture R = (1 - t) R_a + t R_b of theirs, and so are its
  // correlations; with R_a - R_b = X (w_b - w_a),
  //   |R|^2 = (1 - t) |R_a|^2 + t |R_b|^2 - t (1 - t) <w_b - w_a, X^T (R_a - R_b)>.
  void mix(const Draft& a, const Draft& b, double l1, Draft& out);

 private:
  void choose_columns(const std::vector<Draft>& drafts);
  BatchFacts measure(const std::vector<Draft>& drafts, Watch& watch);
  void take_facts(Draft& draft, std::size_t b, const BatchFacts& facts) const;
  void certify_one(Draft& draft);

  TrainingData& data_;
  const Pool& pool_;
  std::vector<Index> column_;       // the columns that a batch of drafts needs
  std::vector<std::size_t> place_;  // and their places in the pool
  Terms terms_;
};

}  // namespace banditcd::elastic_net
