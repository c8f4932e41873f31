// Drafts: points that Gram space calls solved, and their certificates.
//
// X is read once for the true residuals of several drafts in float64, and for their true
// correlations with every column that is in use or near its threshold. Where Gram space may certify
// (Design::gram_certifies) and rounding is far below the target, nothing is read: residuals and
// correlations are those of the Gram matrix, and what rounding may hide is added to the gaps.
#pragma once
#include <vector>

#include "elastic_net/gram_rounding.hpp"
#include "solve/report.hpp"

namespace banditcd::elastic_net {

struct Draft {
  Report report;
  Penalties penalties;
  std::vector<double> x;              // in pool order
  std::vector<std::size_t> relevant;  // pool positions that its certificate needs
  std::vector<double> c;              // correlations with all of the pool, if in_gram()
  std::vector<double> u;              // correlations with the columns of its batch
  double residual2 = 0.0, intercept = 0.0;
  GramRounding error;         // of Gram space, if that certifies; else zero
  double aim = kInfinity;     // of the gap, not counting more than usual rounding
  double likely_gap = 0.0;    // that gap
  std::size_t place = 0;      // in the path
  std::size_t followers = 0;  // penalties after it, on the line to the next draft

  // Whether Gram space certifies, not the data.
  bool in_gram() const { return error.gamma > 0.0; }
  bool accepted() const { return report.accepted() && likely_gap <= aim; }
};

class DraftCertifier {
 public:
  DraftCertifier(TrainingData& data, const Pool& pool) : data_(data), pool_(pool) {}

  // Certificates of a batch of drafts.
  void certify(std::vector<Draft>& drafts, Watch& watch);
  // The correlations of the pool at a draft: the true ones where its batch has them, else those of
  // the Gram matrix. Moves the pool there.
  std::vector<double> correlations(const Draft& draft, Pool& pool, Watch& watch) const;
  // The point between two drafts of the batch, for a penalty between theirs, with its certificate.
  // Its residual is the same mixture R = (1 - t) R_a + t R_b of theirs, and so are its
  // correlations; with R_a - R_b = X (w_b - w_a),
  //   |R|^2 = (1 - t) |R_a|^2 + t |R_b|^2 - t (1 - t) <w_b - w_a, X^T (R_a - R_b)>.
  // The bound of its rounding, a norm of w, is at most the larger one of theirs.
  void mix(const Draft& a, const Draft& b, double l1, Draft& out);

 private:
  void choose_columns(const std::vector<Draft>& drafts);
  BatchFacts measure(const std::vector<Draft>& drafts, Watch& watch);
  void take_facts(Draft& draft, std::size_t b, const BatchFacts& facts) const;
  void take_gram_facts(Draft& draft) const;
  void certify_one(Draft& draft);
  Certificate certificate(const Draft& draft, const GramRounding& error);

  TrainingData& data_;
  const Pool& pool_;
  std::vector<Index> column_;       // the columns that a batch of drafts needs
  std::vector<std::size_t> place_;  // and their places in the pool
  Terms terms_;
};

}  // namespace banditcd::elastic_net
