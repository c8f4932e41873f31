#include "svm/paired_rows.hpp"

#include <utility>

namespace banditcd::svm {
namespace {

// What all storages share: ones for the labels of the stored rows, and both signs in turn.
struct Signs {
  explicit Signs(std::size_t stored) : ones(stored, 1.0), turns(2 * stored, 1.0) {
    for (std::size_t i = 1; i < turns.size(); i += 2) turns[i] = -1.0;
  }
  std::vector<double> ones, turns;
};

class PairedRows final : public Rows {
 public:
  template <class Columns>
  PairedRows(const Columns& x, std::unique_ptr<Signs> signs, std::vector<double> goals,
             double constant)
      : Rows(signs->turns.data(), constant),
        signs_(std::move(signs)),
        goals_(std::move(goals)),
        base_(make_rows(x, signs_->ones.data(), constant)) {}

  std::size_t count() const override { return goals_.size(); }
  std::size_t features() const override { return base_->features(); }
  double entries() const override { return base_->entries(); }
  double entries(std::size_t i) const override { return base_->entries(i / 2); }
  bool sparse() const override { return base_->sparse(); }
  const double* goals() const override { return goals_.data(); }
  std::size_t stored() const override { return base_->count(); }
  Index first_of(std::size_t k) const override { return static_cast<Index>(2 * k); }
  std::unique_ptr<Rows> over(const DenseColumns<double>& x) const override {
    return make_paired(x, goals_, constant_);
  }

  void squares(double* out) override {
    std::vector<double> once(stored());
    base_->squares(once.data());
    for (std::size_t i = 0; i < count(); ++i) out[i] = once[i / 2];
  }
  void margins(const Index* which, std::size_t count, const double* w, double* out,
               Watch& watch) override {
    collect(count, which, [](std::size_t) { return 0.0; });
    base_->margins(rows_.data(), rows_.size(), w, values_.data(), watch);
    spread(which, count, out);
  }
  void margins_and_sum(const Index* which, const double* coef, std::size_t count, const double* w,
                       double* out, double* v) override {
    collect(count, which, [&](std::size_t t) { return y_[which[t]] * coef[t]; });
    base_->margins_and_sum(rows_.data(), coefs_.data(), rows_.size(), w, values_.data(), v);
    spread(which, count, out);
  }
  void accumulate(const Index* which, const double* coef, std::size_t count, double* v) override {
    collect(count, which, [&](std::size_t t) { return y_[which[t]] * coef[t]; });
    base_->accumulate(rows_.data(), coefs_.data(), rows_.size(), v);
  }
  void add_outer(const Index* which, const double* weight, std::size_t count, double sign,
                 const Triangle& target, Watch& watch) override {
    collect(count, which, [&](std::size_t t) { return weight[t]; });
    base_->add_outer(rows_.data(), coefs_.data(), rows_.size(), sign, target, watch);
  }
  double outer_cost() const override { return base_->outer_cost(); }
  bool add_outer_roughly(const Outer& rows, const Triangle& target, Watch& watch) override {
    collect(rows.count, rows.which, [&](std::size_t t) { return rows.weight[t]; });
    const Outer once{rows_.data(), coefs_.data(), rows_.size(), rows.sign};
    return base_->add_outer_roughly(once, target, watch);
  }
  double rough_outer_cost() const override { return base_->rough_outer_cost(); }
  void sweep(Sweep& sweep) override { base_->sweep(sweep); }
  bool read_copy(bool wanted) override { return base_->read_copy(wanted); }
  bool has_copy() const override { return base_->has_copy(); }
  std::uint64_t where(std::size_t i) const override {
    const std::uint64_t positive = base_->where(i / 2);
    return i % 2 == 0 ? positive : positive & ~std::uint64_t{1};
  }
  void gram(const Triangle& target, Watch& watch) override { base_->gram(target, watch); }
  double entries_read() const override { return base_->entries_read(); }

 private:
  // The stored rows, each once if its two rows are neighbors, and the sums of what they get.
  template <class Amount>
  void collect(std::size_t count, const Index* which, const Amount& amount) {
    rows_.resize(count);
    coefs_.resize(count);
    std::size_t size = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const Index row = which[t] / 2;
      if (size > 0 && rows_[size - 1] == row) {
        coefs_[size - 1] += amount(t);
        continue;
      }
      rows_[size] = row;
      coefs_[size++] = amount(t);
    }
    rows_.resize(size);
    values_.resize(size);
  }
  void spread(const Index* which, std::size_t count, double* out) const {
    std::size_t at = 0;
    for (std::size_t t = 0; t < count; ++t) {
      if (rows_[at] != which[t] / 2) ++at;
      out[t] = y_[which[t]] * values_[at];
    }
  }

  std::unique_ptr<Signs> signs_;
  std::vector<double> goals_;
  std::unique_ptr<Rows> base_;
  std::vector<Index> rows_;
  std::vector<double> coefs_, values_;
};

template <class Columns>
std::unique_ptr<Rows> make(const Columns& x, std::vector<double> goals, double constant) {
  auto signs = std::make_unique<Signs>(x.cols);
  return std::make_unique<PairedRows>(x, std::move(signs), std::move(goals), constant);
}

}  // namespace

std::vector<double> paired_goals(const double* y, std::size_t count, double epsilon) {
  std::vector<double> goals(2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    goals[2 * k] = y[k] - epsilon;
    goals[2 * k + 1] = -y[k] - epsilon;
  }
  return goals;
}

std::unique_ptr<Rows> make_paired(const DenseColumns<double>& x, std::vector<double> goals,
                                  double constant) {
  return make(x, std::move(goals), constant);
}
std::unique_ptr<Rows> make_paired(const DenseColumns<float>& x, std::vector<double> goals,
                                  double constant) {
  return make(x, std::move(goals), constant);
}
std::unique_ptr<Rows> make_paired(const CscColumns<double>& x, std::vector<double> goals,
                                  double constant) {
  return make(x, std::move(goals), constant);
}
std::unique_ptr<Rows> make_paired(const CscColumns<float>& x, std::vector<double> goals,
                                  double constant) {
  return make(x, std::move(goals), constant);
}

}  // namespace banditcd::svm
