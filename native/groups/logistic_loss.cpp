// The logistic loss of one response, sum_i s_i log(1 + exp(-y_i (z_i + b))), with the point and the
// certificate of the solver without groups.
#include <cmath>
#include <numeric>

#include "groups/loss.hpp"
#include "kernels/vector.hpp"
#include "logistic/certificate.hpp"
#include "logistic/point.hpp"

namespace banditcd::groups {
namespace {

class LogisticLoss final : public Loss {
 public:
  LogisticLoss(const double* y, std::size_t rows, const double* weight, bool intercept)
      : labels_{y, weight, rows}, intercept_(intercept), point_(0, logistic::LossKind::kLogistic) {}

  std::size_t tasks() const override { return 1; }
  void start() override {
    point_.start(labels_, intercept_);
    null_square_ = dot(pull().data(), pull().data(), pull().size());
  }
  double null_value() const override { return point_.null_loss(); }
  double null_square() const override { return null_square_; }
  bool degenerate() const override { return point_.degenerate(); }
  bool quadratic() const override { return false; }
  const std::vector<double>& pull() const override { return point_.pull(); }
  double value() const override { return point_.totals().loss; }

  Certificate certify(const BlockTerms& terms, const std::vector<double>& square) override {
    logistic::PoolColumns columns;
    columns.column = terms.block;
    for (const Term& term : terms.term) {
      columns.w.push_back(term.w);
      columns.c.push_back(term.u);
      columns.g.push_back(term.g);
    }
    certifier_.start(square, null_square_);
    Certificate out = certifier_.certify(columns, point_);
    out.primal += terms.excess;
    out.gap += terms.excess;
    return out;
  }

  Rowspace space() override {
    const std::vector<double>& h = point_.curvature();
    root_.resize(h.size());
    for (std::size_t i = 0; i < h.size(); ++i) root_[i] = std::sqrt(h[i]);
    return {labels_.rows, h.data(), root_.data(), nullptr, std::accumulate(h.begin(), h.end(), 0.0),
            intercept_};
  }
  double model_square() const override { return point_.model_square(); }
  std::vector<double> model_residual() const override {
    std::vector<double> out = point_.pull();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double h = point_.curvature()[i];
      out[i] = h > 0.0 ? out[i] / std::sqrt(h) : 0.0;
    }
    return out;
  }

  double try_at(const std::vector<double>& predictor, double shift) override {
    return point_.try_at(predictor, point_.intercept() + shift);
  }
  void accept() override {
    point_.accept();
    point_.settle_intercept();
  }
  const std::vector<double>& predictor() const override { return point_.predictor(); }
  double intercept(std::size_t) const override { return point_.intercept(); }

 private:
  Labels labels_;
  bool intercept_;
  logistic::Point point_;
  logistic::Certifier certifier_;
  double null_square_ = 0.0;
  std::vector<double> root_;
};

}  // namespace

std::unique_ptr<Loss> logistic_loss(const double* y, std::size_t rows, const double* sample_weight,
                                    bool intercept) {
  return std::make_unique<LogisticLoss>(y, rows, sample_weight, intercept);
}

}  // namespace banditcd::groups
